/// What the shared library shows, the functions of its header and nothing else, and what it asks for.
#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

std::string read(const char* path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::string bytes(static_cast<std::size_t>(file.tellg()), ' ');
  file.seekg(0).read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

template <class T>
std::vector<T> table(const std::string& bytes, const Elf64_Shdr& section) {
  std::vector<T> entries(section.sh_size / sizeof(T));
  std::memcpy(entries.data(), bytes.data() + section.sh_offset, entries.size() * sizeof(T));
  return entries;
}

std::vector<Elf64_Shdr> sectionsOf(const std::string& bytes) {
  Elf64_Ehdr head;
  std::memcpy(&head, bytes.data(), sizeof head);
  std::vector<Elf64_Shdr> sections(head.e_shnum);
  std::memcpy(sections.data(), bytes.data() + head.e_shoff, sections.size() * sizeof(Elf64_Shdr));
  return sections;
}

/// The defined names of an ELF file's dynamic symbol table.
std::set<std::string> shownNames(const char* path) {
  const std::string bytes = read(path);
  const std::vector<Elf64_Shdr> sections = sectionsOf(bytes);
  std::set<std::string> names;
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_DYNSYM) continue;
    const char* texts = bytes.data() + sections[section.sh_link].sh_offset;
    for (const Elf64_Sym& symbol : table<Elf64_Sym>(bytes, section)) {
      const bool defined = symbol.st_shndx != SHN_UNDEF && symbol.st_shndx != SHN_ABS;
      if (defined && ELF64_ST_BIND(symbol.st_info) != STB_LOCAL) names.insert(texts + symbol.st_name);
    }
  }
  return names;
}

/// The libraries that an ELF file asks the loader for, without their versions.
std::set<std::string> neededLibraries(const char* path) {
  const std::string bytes = read(path);
  const std::vector<Elf64_Shdr> sections = sectionsOf(bytes);
  std::set<std::string> names;
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_DYNAMIC) continue;
    const char* texts = bytes.data() + sections[section.sh_link].sh_offset;
    for (const Elf64_Dyn& entry : table<Elf64_Dyn>(bytes, section)) {
      if (entry.d_tag != DT_NEEDED) continue;
      const std::string name = texts + entry.d_un.d_val;
      names.insert(name.substr(0, name.find(".so")));
    }
  }
  return names;
}

/// Who loads it gets no codec, no OpenCV, no Qt: the language's libraries, threads (oneTBB) and NPZ's zlib.
TEST(Needed, IsNothingBesideTheLanguagesLibrariesThreadsAndZlib) {
  const std::set<std::string> allowed = {
      "ld-linux-x86-64", "ld-linux-aarch64", "libc",   "libm", "libdl",   "librt",    "libpthread",
      "libgcc_s",        "libstdc++",        "libtbb", "libz", "libasan", "libubsan", "libtsan"};
  const std::set<std::string> needed = neededLibraries(BANKSIDE_LIBRARY);
  EXPECT_TRUE(needed.contains("libc"));
  for (const std::string& name : needed) EXPECT_TRUE(allowed.contains(name)) << name;
}

TEST(Symbols, AreThoseOfTheHeader) {
  const std::string header = read(BANKSIDE_HEADER);
  const std::regex declaration("BK_API [^;(]*\\b(bk_[a-z_]+)\\(");
  std::set<std::string> declared;
  for (auto it = std::sregex_iterator(header.begin(), header.end(), declaration);
       it != std::sregex_iterator(); ++it)
    declared.insert((*it)[1]);
  EXPECT_GT(declared.size(), 15u);
  EXPECT_EQ(shownNames(BANKSIDE_LIBRARY), declared);
}

/// Whatever a program is started with has only what stands before OpenCV's function.
TEST(Symbols, OfThePreloadAreOpenCvs) {
  const std::set<std::string> shown = shownNames(BANKSIDE_PRELOADED);
  ASSERT_EQ(shown.size(), 1u) << *shown.rbegin();
  EXPECT_EQ(shown.begin()->rfind("_ZN2cv3hal8filter2DE", 0), 0u) << *shown.begin();
}

/// The C++ face may call functions that exist, with the names of its own.
TEST(Symbols, OfTheFaceAreOfTheHeader) {
  const std::set<std::string> shown = shownNames(BANKSIDE_LIBRARY);
  const std::string face = read(BANKSIDE_FACE);
  const std::regex call("\\b(bk_[a-z_]+)\\(");
  for (auto it = std::sregex_iterator(face.begin(), face.end(), call); it != std::sregex_iterator(); ++it) {
    const std::string name = (*it)[1];
    if (name == "bk_dense_view") continue;  // defined in the header
    EXPECT_TRUE(shown.contains(name)) << name;
  }
}

}  // namespace
