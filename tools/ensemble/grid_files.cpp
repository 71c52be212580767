#include "tools/ensemble/grid_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace scree::ensemble {
namespace {

constexpr float no_data = -9999.0F;

float number_or_no_data(float value) { return std::isnan(value) ? no_data : value; }

// Little-endian, whatever the machine.
template <class Integer>
void put(std::string& bytes, Integer value) {
  for (std::size_t i = 0; i < sizeof(Integer); ++i)
    bytes += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i) & 0xffU);
}

void put_double(std::string& bytes, double value) {
  put(bytes, std::bit_cast<std::uint64_t>(value));
}

// A field of the directory: values of four bytes at most stand in it, others behind.
struct Field {
  std::uint16_t tag = 0, type = 0;  // 2 text, 3 two bytes, 4 four bytes, 12 double
  std::uint32_t count = 0;
  std::string value;
};

Field short_field(std::uint16_t tag, std::uint16_t number) {
  Field field{tag, 3, 1, ""};
  put(field.value, number);
  return field;
}

Field long_field(std::uint16_t tag, std::uint32_t number) {
  Field field{tag, 4, 1, ""};
  put(field.value, number);
  return field;
}

Field text_field(std::uint16_t tag, const std::string& text) {
  std::string value = text;
  value += '\0';
  return {tag, 2, static_cast<std::uint32_t>(value.size()), value};
}

Field double_field(std::uint16_t tag, std::initializer_list<double> numbers) {
  Field field{tag, 12, static_cast<std::uint32_t>(numbers.size()), ""};
  for (const double number : numbers) put_double(field.value, number);
  return field;
}

// GeoTIFF's own directory: version 1.1.0, number of keys, then each with its value.
Field geo_keys(std::int64_t epsg) {
  std::vector<std::array<std::uint16_t, 4>> keys;
  if (epsg > 0) keys.push_back({1024, 0, 1, 1});  // a projected system
  keys.push_back({1025, 0, 1, 1});                // pixel is area
  if (epsg > 0) keys.push_back({3072, 0, 1, static_cast<std::uint16_t>(epsg)});
  Field field{34735, 3, static_cast<std::uint32_t>(4 + 4 * keys.size()), ""};
  put(field.value, std::uint16_t{1}), put(field.value, std::uint16_t{1});
  put(field.value, std::uint16_t{0});
  put(field.value, static_cast<std::uint16_t>(keys.size()));
  for (const auto& key : keys) {
    for (const std::uint16_t number : key) put(field.value, number);
  }
  return field;
}

}  // namespace

MapFrame map_frame(const site::MapGrid& grid, const Vector3& origin, std::int64_t epsg) {
  return {grid.low.x() + origin.x(),
          grid.low.y() + origin.y(),
          grid.cell,
          grid.columns,
          grid.rows,
          epsg};
}

std::string esri_ascii(const MapFrame& frame, std::span<const float> values) {
  std::string text = fmt::format(
      "ncols {}\nnrows {}\nxllcorner {}\nyllcorner {}\ncellsize {}\nNODATA_value -9999\n",
      frame.columns, frame.rows, frame.west, frame.south, frame.cell);
  const auto columns = static_cast<std::size_t>(frame.columns);
  for (auto row = static_cast<std::size_t>(frame.rows); row-- > 0;) {
    for (std::size_t column = 0; column < columns; ++column) {
      if (column > 0) text += ' ';
      text += fmt::format("{}", number_or_no_data(values[row * columns + column]));
    }
    text += '\n';
  }
  return text;
}

std::string geotiff(const MapFrame& frame, std::span<const float> values,
                    const std::string& description) {
  const auto columns = static_cast<std::size_t>(frame.columns),
             rows = static_cast<std::size_t>(frame.rows);
  const std::size_t size = 4 * columns * rows;
  if (size > 4'000'000'000U)
    throw std::runtime_error("a TIFF file has at most 4 GB; take larger cells, or --maps asc");
  const double north = frame.south + frame.cell * frame.rows;
  // Ascending by their tags.
  std::vector<Field> fields = {long_field(256, static_cast<std::uint32_t>(columns)),
                               long_field(257, static_cast<std::uint32_t>(rows)),
                               short_field(258, 32),
                               short_field(259, 1),  // not compressed
                               short_field(262, 1),  // black is zero
                               text_field(270, description),
                               long_field(273, 0),  // where the strip begins: known below
                               short_field(277, 1),
                               long_field(278, static_cast<std::uint32_t>(rows)),
                               long_field(279, static_cast<std::uint32_t>(size)),
                               short_field(284, 1),
                               short_field(339, 3),  // IEEE floats
                               double_field(33550, {frame.cell, frame.cell, 0.0}),
                               double_field(33922, {0.0, 0.0, 0.0, frame.west, north, 0.0}),
                               geo_keys(frame.epsg),
                               text_field(42113, "-9999")};
  const std::size_t directory = 8 + 2 + 12 * fields.size() + 4;
  std::string behind;
  for (Field& field : fields) {
    if (field.value.size() <= 4) continue;
    if (behind.size() % 2 == 1) behind += '\0';
    std::string offset;
    put(offset, static_cast<std::uint32_t>(directory + behind.size()));
    behind += field.value;
    field.value = offset;
  }
  while ((directory + behind.size()) % 4 != 0) behind += '\0';
  for (Field& field : fields) {
    if (field.tag != 273) continue;
    field.value.clear();
    put(field.value, static_cast<std::uint32_t>(directory + behind.size()));
  }
  std::string bytes = "II";
  put(bytes, std::uint16_t{42}), put(bytes, std::uint32_t{8});
  put(bytes, static_cast<std::uint16_t>(fields.size()));
  for (const Field& field : fields) {
    put(bytes, field.tag), put(bytes, field.type), put(bytes, field.count);
    bytes += field.value + std::string(4 - field.value.size(), '\0');
  }
  put(bytes, std::uint32_t{0});  // no further directory
  bytes += behind;
  bytes.reserve(bytes.size() + size);
  for (std::size_t row = rows; row-- > 0;) {
    for (std::size_t column = 0; column < columns; ++column)
      put(bytes, std::bit_cast<std::uint32_t>(number_or_no_data(values[row * columns + column])));
  }
  return bytes;
}

}  // namespace scree::ensemble
