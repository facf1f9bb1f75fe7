#include "io/corpus/unpack/gzip_stream.hpp"

#include <algorithm>
#include <new>
#include <string_view>
#include <utility>

#include <zlib.h>

namespace inkling {

GzipStream::GzipStream(std::string name, InputStream& packed, UnpackingMeter& meter)
    : name_(std::move(name)), packed_(&packed), meter_(&meter), inflater_(new z_stream_s{}, [](z_stream_s* stream) {
        ::inflateEnd(stream);
        delete stream;
      }) {
  constexpr int gzip_alone = 16;
  if (::inflateInit2(inflater_.get(), MAX_WBITS + gzip_alone) != Z_OK) throw std::bad_alloc();
}

std::size_t GzipStream::read(std::span<char> to) {
  inflater_->next_out = reinterpret_cast<Bytef*>(to.data());
  std::size_t left = to.size();
  while (left > 0 && state_ != State::at_end) {
    // zlib counts in 32 bits.
    const std::size_t room = std::min(left, std::size_t{1} << 30U);
    inflater_->avail_out = static_cast<uInt>(room);
    if (inflater_->avail_in == 0) refill();
    if (state_ == State::between_parts) begin_part();
    if (state_ == State::in_part) inflate_some();
    if (state_ == State::filled_up) expect_zeros();
    left -= room - inflater_->avail_out;
  }
  meter_->add(to.size() - left);
  return to.size() - left;
}

void GzipStream::refill() {
  if (packed_ended_) return;
  const std::size_t count = packed_->read(block_);
  packed_ended_ = count < block_.size();
  inflater_->next_in = reinterpret_cast<Bytef*>(block_.data());
  inflater_->avail_in = static_cast<uInt>(count);
}

void GzipStream::begin_part() {
  constexpr Bytef first_of_magic = 0x1F;
  if (inflater_->avail_in == 0) {
    state_ = State::at_end;
  } else if (*inflater_->next_in == first_of_magic) {
    if (::inflateReset(inflater_.get()) != Z_OK) refuse_packed(name_, "damage");
    any_part_ = true;
    state_ = State::in_part;
  } else if (*inflater_->next_in == 0 && any_part_) {
    state_ = State::filled_up;
  } else {
    refuse_packed(name_, "other bytes after the end of the gzip data");
  }
}

void GzipStream::inflate_some() {
  switch (::inflate(inflater_.get(), Z_NO_FLUSH)) {
    case Z_OK: return;
    case Z_BUF_ERROR:
      if (packed_ended_) refuse_packed(name_, "its end too early: it was cut");
      return;
    case Z_STREAM_END: state_ = State::between_parts; return;
    case Z_MEM_ERROR: throw std::bad_alloc();
    default: break;
  }
  const std::string_view reason = inflater_->msg == nullptr ? "damage" : inflater_->msg;
  const bool wrong_sum = reason == "incorrect data check" || reason == "incorrect length check";
  refuse_packed(name_, wrong_sum ? "a wrong checksum" : reason);
}

void GzipStream::expect_zeros() {
  const std::string_view rest(reinterpret_cast<const char*>(inflater_->next_in), inflater_->avail_in);
  if (rest.find_first_not_of('\0') != std::string_view::npos) refuse_packed(name_, "other bytes after the end of the gzip data");
  inflater_->avail_in = 0;
  if (packed_ended_) state_ = State::at_end;
}

}  // namespace inkling
