// Data: what 30 people look for in 20 Newsgroups, a sentence each. All sentences, and the words that say which messages belong to
// a part of a group, were written before any search was run with them, and none was changed since. The parts were chosen by
// counting words in subject lines.
#include "bench/beyond/wanted_topics.hpp"

namespace inkling::bench {
namespace {

constexpr WantedTopic kWantedTopics[] = {
    {"alt.atheism", "Arguments about whether there is a god, by people who do not believe in one."},
    {"comp.graphics", "How to draw, convert and display images and 3D graphics on a computer."},
    {"comp.os.ms-windows.misc", "Problems with Microsoft Windows 3.1, its drivers, files and programs."},
    {"comp.sys.ibm.pc.hardware", "Hardware of IBM compatible PCs: motherboards, hard disk controllers, cards and BIOS settings."},
    {"comp.sys.mac.hardware", "Hardware of Apple Macintosh computers: Quadra, Centris, PowerBook, monitors, memory."},
    {"comp.windows.x", "Programming and running the X Window System: X11 servers, widgets, Motif, xterm."},
    {"misc.forsale", "Offers of used things for sale, with a price, shipping and condition."},
    {"rec.autos", "Cars: engines, dealers, mileage, repair, and how they drive."},
    {"rec.motorcycles", "Riding motorcycles: bikes, helmets, gear and accidents."},
    {"rec.sport.baseball", "Baseball: pitchers, hitters, innings and teams of the league."},
    {"rec.sport.hockey", "Ice hockey: NHL playoff games, goals, goalies and teams."},
    {"sci.crypt", "Encryption, keys and privacy, and what the government wants to decrypt."},
    {"sci.electronics", "Electronic circuits: voltage, amplifiers, chips and how to build or repair something."},
    {"sci.med", "Diseases and their treatment: symptoms, doctors, patients, drugs and diet."},
    {"sci.space", "Space flight: NASA, the shuttle, satellites, orbits, the moon and planets."},
    {"soc.religion.christian", "What Christians believe: God, Jesus, the church, scripture, sin and faith."},
    {"talk.politics.guns", "Gun control: firearms, weapons, the second amendment and crime."},
    {"talk.politics.mideast", "Conflicts of the Middle East: Israel, Arabs, Palestinians, Turks and Armenians."},
    {"talk.politics.misc", "American politics: the president, taxes, health care, gay rights and drugs."},
    {"talk.religion.misc", "Disputes about religion: the bible, prophets, cults, Mormons and morality."},
    {"sci.med",
     "Does monosodium glutamate in Chinese food give people headaches or other reactions?",
     {"msg", "glutamate", "sensitivity", "chinese", "superstition", "restaurant"}},
    {"sci.med",
     "Is there a yeast infection, candida, that makes people ill, and does a diet or a drug help?",
     {"candida", "yeast", "fungal", "nystatin", "sinus", "infections"}},
    {"sci.space",
     "The shuttle mission that is to repair the Hubble space telescope.",
     {"hst", "hubble", "servicing", "telescope", "reboost", "eva"}},
    {"sci.space",
     "Where do bursts of gamma rays come from, how far away are their sources?",
     {"gamma", "bursts", "bursters", "batse", "ray", "neutron"}},
    {"talk.politics.guns",
     "The siege of the Branch Davidians at Waco, the raid by the ATF and the fire.",
     {"waco", "koresh", "davidians", "batf", "compound", "ranch"}},
    {"rec.motorcycles",
     "How countersteering works, and whether a beginner has to learn it.",
     {"countersteering", "steering", "lean", "handlebars", "gyroscopic", "turn"}},
    {"sci.crypt",
     "The Clipper chip with its escrowed keys, proposed by the White House.",
     {"clipper", "escrow", "skipjack", "nsa", "wiretap", "agencies"}},
    {"comp.sys.ibm.pc.hardware",
     "Which is faster, a SCSI or an IDE hard disk, and how do I connect them?",
     {"scsi", "ide", "controller", "drive", "jumper", "slave"}},
    {"talk.politics.mideast",
     "The killing of Armenians by the Turks, and whether it was a genocide.",
     {"armenian", "armenians", "genocide", "turkish", "ottoman", "massacre"}},
    {"rec.autos",
     "What car insurance costs, and how speeding tickets and radar detectors bear on it.",
     {"insurance", "ticket", "radar", "detector", "premium", "liability"}}};

}  // namespace

std::span<const WantedTopic> wanted_topics() { return kWantedTopics; }

}  // namespace inkling::bench
