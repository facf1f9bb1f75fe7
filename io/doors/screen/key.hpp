// The keys of a keyboard, from the bytes that a terminal sends for them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace inkling {

struct Key {
  enum class Kind {
    character,  ///< `text` holds it
    pasted,     ///< `text` holds all that was pasted, which is no command
    enter,
    escape,
    tab,
    backspace,
    remove,
    up,
    down,
    left,
    right,
    page_up,
    page_down,
    home,
    end,
    redraw,        ///< Ctrl-L
    end_of_input,  ///< Ctrl-D
    other,         ///< a key that is not known here
  };

  Kind kind = Kind::other;
  std::string text = {};

  bool operator==(const Key&) const = default;

  [[nodiscard]] static Key character(char c) { return {Kind::character, std::string(1, c)}; }
  /// Whether it is this character.
  [[nodiscard]] bool is(char c) const { return kind == Kind::character && text == std::string_view(&c, 1); }
};

/// Turns bytes into keys, however they are cut into reads. Thread safety: none.
class KeyDecoder {
 public:
  void feed(std::string_view bytes) { bytes_ += bytes; }

  /// The next key; nothing if the bytes so far are only the beginning of one.
  [[nodiscard]] std::optional<Key> take();

  /// Call it when nothing more has come for a while: an escape alone is the Escape key, and any other incomplete key is dropped.
  [[nodiscard]] std::optional<Key> take_unfinished();

  /// Whether `take` waits for the rest of a key. A paste does not count, because it may take long.
  [[nodiscard]] bool is_unfinished() const { return !bytes_.empty() && !is_pasting(); }

  /// Forgets what was typed ahead.
  void drop() { bytes_.clear(); }

 private:
  [[nodiscard]] bool is_pasting() const;
  [[nodiscard]] std::optional<Key> take_sequence();
  [[nodiscard]] std::optional<Key> take_paste();
  [[nodiscard]] std::string take_bytes(std::size_t count);

  std::string bytes_;
};

}  // namespace inkling
