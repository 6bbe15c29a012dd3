#include "core/imageio/zip_file.h"

#include <zlib.h>

#include <algorithm>
#include <memory>
#include <new>
#include <string_view>

namespace bankside {
namespace {

constexpr std::string_view localMark("PK\x03\x04", 4);
constexpr std::string_view entryMark("PK\x01\x02", 4);
constexpr std::string_view endMark("PK\x05\x06", 4);
constexpr std::size_t localBytes = 30;
constexpr std::size_t entryBytes = 46;
constexpr std::size_t endBytes = 22;
constexpr int storedMethod = 0;
constexpr int deflated = 8;

/// Numbers with their lowest byte first.
class Fields {
 public:
  explicit Fields(std::string_view bytes) : bytes_(bytes) {}
  std::uint32_t at(std::size_t place, std::size_t count) const {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < count; ++i)
      value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes_[place + i])) << (8 * i);
    return value;
  }

 private:
  std::string_view bytes_;
};

std::string part(const ReadableFile& file, std::int64_t place, std::size_t size) {
  std::string bytes(size, '\0');
  file.read(place, bytes.data(), size);
  return bytes;
}

struct Directory {
  std::size_t entries = 0;
  std::int64_t size = 0;
  std::int64_t place = 0;
};

/// A remark of up to 65535 bytes may stand behind the last record, which is looked for from the end.
Directory directoryOf(const ReadableFile& file) {
  const std::int64_t tail = std::min<std::int64_t>(file.size(), endBytes + 65535);
  const std::string bytes = part(file, file.size() - tail, static_cast<std::size_t>(tail));
  const std::size_t at =
      bytes.size() < endBytes ? std::string::npos : bytes.rfind(endMark, bytes.size() - endBytes);
  if (at == std::string::npos) file.damaged("is no ZIP archive, or cut short");
  const Fields end(std::string_view(bytes).substr(at));
  if (end.at(4, 2) != 0 || end.at(6, 2) != 0 || end.at(8, 2) != end.at(10, 2))
    file.fail(ErrorCode::Unsupported, "is a part of a ZIP archive");
  if (end.at(10, 2) == 0xffff || end.at(12, 4) == 0xffffffff || end.at(16, 4) == 0xffffffff)
    file.fail(ErrorCode::Unsupported, "is a ZIP archive of 4 GiB or 65535 files and more");
  const Directory directory{end.at(10, 2), end.at(12, 4), end.at(16, 4)};
  if (directory.place + directory.size > file.size() - tail + static_cast<std::int64_t>(at))
    file.damaged("has a damaged ZIP directory");
  return directory;
}

std::string inflated(const ReadableFile& file, const ZipEntry& entry, std::string packed) {
  const auto wrong = [&] { file.damaged("\"" + entry.name + "\" cannot be inflated"); };
  std::string bytes(static_cast<std::size_t>(entry.size), '\0');
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_streamp)> end(&stream, inflateEnd);
  stream.next_in = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  char none = 0;  // where an empty file goes
  stream.next_out = reinterpret_cast<Bytef*>(bytes.empty() ? &none : bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  if (inflate(&stream, Z_FINISH) != Z_STREAM_END || stream.avail_out != 0) wrong();
  return bytes;
}

std::uint32_t checksumOf(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<z_size_t>(bytes.size())));
}

void put(std::string& bytes, std::uint32_t value, int count) {
  for (int i = 0; i < count; ++i) bytes += static_cast<char>(value >> (8 * i) & 255);
}

/// What a file's own header and its line in the directory have alike.
void putFile(std::string& bytes, const std::string& name, const std::string& content) {
  constexpr std::uint32_t version = 20;
  constexpr std::uint32_t firstDay = 1 << 5 | 1;  // of 1980
  put(bytes, version, 2);
  put(bytes, 1 << 11, 2);  // names are UTF-8
  put(bytes, storedMethod, 2);
  put(bytes, 0, 2);
  put(bytes, firstDay, 2);
  put(bytes, checksumOf(content), 4);
  put(bytes, static_cast<std::uint32_t>(content.size()), 4);
  put(bytes, static_cast<std::uint32_t>(content.size()), 4);
  put(bytes, static_cast<std::uint32_t>(name.size()), 2);
  put(bytes, 0, 2);
}

}  // namespace

std::vector<ZipEntry> zipEntries(const ReadableFile& file, std::size_t most) {
  const Directory directory = directoryOf(file);
  if (directory.entries > most) {
    file.fail(ErrorCode::Limit, "has " + std::to_string(directory.entries) + " files inside, at most " +
                                    std::to_string(most) + " are read");
  }
  const std::string bytes = part(file, directory.place, static_cast<std::size_t>(directory.size));
  std::vector<ZipEntry> entries;
  std::size_t at = 0;
  for (std::size_t i = 0; i < directory.entries; ++i) {
    const auto wrong = [&] { file.damaged("has a damaged ZIP directory"); };
    if (bytes.size() - at < entryBytes || bytes.compare(at, entryMark.size(), entryMark) != 0) wrong();
    const Fields line(std::string_view(bytes).substr(at));
    const std::size_t name = line.at(28, 2);
    const std::size_t length = entryBytes + name + line.at(30, 2) + line.at(32, 2);
    if (bytes.size() - at < length) wrong();
    ZipEntry entry{.name = bytes.substr(at + entryBytes, name),
                   .deflated = line.at(10, 2) == deflated,
                   .checksum = line.at(16, 4),
                   .packed = line.at(20, 4),
                   .size = line.at(24, 4),
                   .place = line.at(42, 4)};
    if ((line.at(8, 2) & 1) != 0)
      file.fail(ErrorCode::Unsupported, "\"" + entry.name + "\" inside is encrypted");
    if (!entry.deflated && line.at(10, 2) != storedMethod)
      file.fail(ErrorCode::Unsupported, "\"" + entry.name + "\" inside is packed by method " +
                                            std::to_string(line.at(10, 2)) +
                                            "; stored and deflated ones are read");
    entries.push_back(std::move(entry));
    at += length;
  }
  return entries;
}

std::string unzipped(const ReadableFile& file, const ZipEntry& entry, std::int64_t largest) {
  if (entry.size > largest) {
    file.fail(ErrorCode::Limit, "\"" + entry.name + "\" inside has " + std::to_string(entry.size) +
                                    " bytes, at most " + std::to_string(largest) + " are read");
  }
  const std::string header = part(file, entry.place, localBytes);
  if (!header.starts_with(localMark)) file.damaged("has no file where \"" + entry.name + "\" should be");
  const Fields fields(header);
  const std::int64_t data =
      entry.place + static_cast<std::int64_t>(localBytes) + fields.at(26, 2) + fields.at(28, 2);
  if (data + entry.packed > file.size() || (!entry.deflated && entry.packed != entry.size))
    file.damaged("is cut short within \"" + entry.name + "\"");
  std::string bytes = part(file, data, static_cast<std::size_t>(entry.packed));
  if (entry.deflated) bytes = inflated(file, entry, std::move(bytes));
  if (checksumOf(bytes) != entry.checksum) file.damaged("\"" + entry.name + "\" inside has another checksum");
  return bytes;
}

std::string zipOf(const std::vector<std::pair<std::string, std::string>>& files) {
  std::string bytes;
  std::string directory;
  for (const auto& [name, content] : files) {
    directory += entryMark;
    put(directory, 20, 2);  // made by
    putFile(directory, name, content);
    put(directory, 0, 2);  // remark
    put(directory, 0, 2);  // disk
    put(directory, 0, 2);  // inner and outer attributes
    put(directory, 0, 4);
    put(directory, static_cast<std::uint32_t>(bytes.size()), 4);
    directory += name;
    bytes += localMark;
    putFile(bytes, name, content);
    bytes += name;
    bytes += content;
  }
  const auto place = static_cast<std::uint32_t>(bytes.size());
  bytes += directory;
  bytes += endMark;
  put(bytes, 0, 4);
  put(bytes, static_cast<std::uint32_t>(files.size()), 2);
  put(bytes, static_cast<std::uint32_t>(files.size()), 2);
  put(bytes, static_cast<std::uint32_t>(directory.size()), 4);
  put(bytes, place, 4);
  put(bytes, 0, 2);
  return bytes;
}

}  // namespace bankside
