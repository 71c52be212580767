// A scene file as text: its name, and where in it each field stands, so that every message can
// point there.
#pragma once

#include <toml++/toml.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/check.hpp"
#include "scenes/raster/raster_store.hpp"
#include "scenes/read/scene.hpp"

namespace scree::scenes {

Place place_of(const toml::node& node);
Place place_of(const toml::key& key);

// Collects, while a file is read, the keys that were asked for and where their values stand.
class Document {
 public:
  explicit Document(std::string file_name, FileReader read_file = {},
                    std::vector<std::string> edits = {})
      : file_name_(std::move(file_name)),
        read_file_(std::move(read_file)),
        edits_(std::move(edits)),
        edit_unit_(edits_.size()) {}

  // Throws InputError "file:line:column: field: message", or "--set KEY=VALUE: field: message"
  // where the value came from there, whatever the names and values in it hold made printable.
  [[noreturn]] void fail(Place place, const std::string& field, const std::string& message) const;

  // Throws `error` ("field: message") again with the place of its field, or of the nearest table
  // around it.
  [[noreturn]] void fail_at_field(const InputError& error) const;

  // Throws `error` ("field: message") again as "file:line:column: field: message" with the field
  // given here.
  [[noreturn]] void fail_as(Place place, const std::string& field, const InputError& error) const;

  // Throws an error that has a place in the file, or in one that it names, as it is; any other as
  // fail_as does.
  [[noreturn]] void fail_unless_placed(Place place, const std::string& field,
                                       const InputError& error) const;

  // Text of a file that the scene names at `place`, kept among the scene's files.
  const std::string& read_file(Place place, const std::string& field, const std::string& name);
  // The ground of a raster that the scene names at `place`; what tells it from others is kept among
  // the scene's files.
  std::shared_ptr<const TerrainRaster> read_ground(Place place, const std::string& field,
                                                   const std::string& name, Diagonal diagonal);
  // The same of a raster of classes; null for the reference of keys, which has no such file.
  std::shared_ptr<const Raster> read_classes(Place place, const std::string& field,
                                             const std::string& name);
  // For rasters: where they come from, what they must be, and the scene's origin.
  void use_rasters(const SceneChange& change) {
    if (change.rasters) rasters_ = change.rasters;
    began_with_ = change.began_with;
  }
  void set_origin(const Vector3& origin) { origin_ = origin; }
  const Vector3& origin() const { return origin_; }
  const std::vector<SceneFile>& files() const { return files_; }
  // How messages call it: from the folder of the scene file.
  std::string path_of(const std::string& name) const;

  // Remembers where `field` stands; the first place counts.
  void remember(const std::string& field, Place place) { places_.emplace(field, place); }

  // Remembers the unit "[m]" of a number that came from an edit.
  void note_unit(Place place, const char* unit) {
    if (place.edit > 0) edit_unit_.at(place.edit - 1) = unit;
  }
  const std::vector<std::string>& edit_unit() const { return edit_unit_; }

  // Remembers that the reader knows `field`.
  void ask(const std::string& field) { asked_.insert(field); }
  const std::set<std::string>& asked() const { return asked_; }

  // For the reference of keys: what a value of each field that is asked for must be, and its unit.
  struct Expectation {
    std::string allowed, unit;
  };
  void record_expectations() { records_ = true; }
  bool records_expectations() const { return records_; }
  void expect(const std::string& field, Expectation expectation) {
    expected_.insert_or_assign(field, std::move(expectation));
  }
  const std::map<std::string, Expectation>& expectations() const { return expected_; }

 private:
  // Among the scene's files; throws where the run began with another one of this name.
  void keep_digest(Place place, const std::string& field, const std::string& name,
                   const std::string& digest);

  std::string file_name_;
  FileReader read_file_;
  std::vector<std::string> edits_, edit_unit_;
  std::vector<SceneFile> files_;
  std::shared_ptr<RasterStore> rasters_ = std::make_shared<RasterStore>();
  std::vector<SceneFile> began_with_;
  Vector3 origin_ = Vector3::Zero();
  std::map<std::string, Place> places_;
  std::set<std::string> asked_;
  bool records_ = false;
  std::map<std::string, Expectation> expected_;
};

// Parses TOML; a syntax error becomes an InputError with its line and column.
toml::table parse_toml(std::string_view text, const std::string& file_name);

// parse_scene, leaving in `document` the fields that were asked for.
Scene parse_scene(std::string_view text, const std::string& file_name, Document& document,
                  const SceneChange& change = {});

// The candidate nearest to `word` by edit distance, or an empty string when none is similar.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace scree::scenes
