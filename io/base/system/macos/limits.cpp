#include "io/base/system/limits.hpp"

#include <algorithm>
#include <thread>

#include <libproc.h>
#include <pthread/qos.h>
#include <unistd.h>

namespace inkling {

int available_threads() { return std::max(static_cast<int>(std::thread::hardware_concurrency()), 1); }

int present_threads() {
  proc_taskinfo info = {};
  const int got = ::proc_pidinfo(::getpid(), PROC_PIDTASKINFO, 0, &info, sizeof info);
  return got == sizeof info ? info.pti_threadnum : 1;
}

void yield_to_other_threads() noexcept { ::pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0); }

}  // namespace inkling
