#include "scenes/read/read_motion.hpp"

#include <fmt/format.h>

#include "scenes/read/history_csv.hpp"
#include "scenes/read/read_loads.hpp"

namespace scree::scenes {
namespace {

// One vector for each time; zeros when the key is absent.
std::vector<Vector3> read_values(TableReader& reader, const std::string& key, std::size_t count) {
  auto values = reader.points(key, any(""));
  if (!values) return std::vector<Vector3>(count, Vector3::Zero());
  if (values->size() != count) {
    reader.fail(
        key,
        fmt::format(
            "an array of {} is not allowed; must be one vector [x, y, z] for each of the {} times",
            values->size(), count));
  }
  return std::move(*values);
}

void read_table(TableReader& reader, MotionHistory& history) {
  history.time = read_times(reader);
  history.linear = read_values(reader, "linear", history.time.size());
  history.angular = read_values(reader, "angular", history.time.size());
}

// `file` instead of the table's keys.
void read_file(TableReader& reader, const std::string& name, MotionHistory& history) {
  if (name.empty()) reader.fail("file", "is empty; must be the name of a CSV file");
  for (const char* key : {"time", "linear", "angular"}) reader.exclude("file", key);
  Document& document = reader.document();
  read_history_csv(document.read_file(reader.place("file"), reader.field("file"), name),
                   document.path_of(name), history);
}

}  // namespace

std::optional<MotionHistory> read_motion(TableReader& body) {
  static const Choices<HistoryKind> kinds = {{"velocity", HistoryKind::velocity},
                                             {"acceleration", HistoryKind::acceleration}};
  std::optional<TableReader> reader = body.table("motion");
  if (!reader) return std::nullopt;
  MotionHistory history;
  history.kind = reader->need(reader->choice("kind", kinds), "kind", "velocity or acceleration");
  const std::optional<std::string> file = reader->text("file");
  if (file) {
    read_file(*reader, *file, history);
  } else {
    read_table(*reader, history);
  }
  reader->finish();
  return history;
}

}  // namespace scree::scenes
