// Comma-separated tables (RFC 4180): a header with units, one row a line, numbers with every digit.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/base/check.hpp"
#include "engine/base/printable.hpp"
#include "engine/files/result_path.hpp"
#include "engine/files/result_tables.hpp"
#include "engine/measure/groups.hpp"
#include "engine/measure/stress_tensor.hpp"
#include "tools/common/output_file.hpp"
#include "tools/export/export_source.hpp"

namespace scree {
namespace {

// Displacements from the first frame, as seen from the body that the scene names, if it names one.
class RelativeDisplacements {
 public:
  explicit RelativeDisplacements(const ExportSource& source) {
    const std::string name = source.results.relative_to();
    if (name.empty()) return;
    const auto& names = source.bodies.name;
    const auto body = std::find(names.begin(), names.end(), name);
    require(body != names.end(), name, "there is no such body to measure displacements from");
    body_ = static_cast<std::size_t>(body - names.begin());
    start_ = source.results.frame(0);
    cell_ = source.results.cell();
    header_ =
        ",relative displacement x [m],relative displacement y [m],relative displacement z [m]";
  }

  const std::string& header() const { return header_; }
  std::string fields(const ResultFrame& frame, std::size_t i) const {
    if (header_.empty()) return "";
    const measure::Reference reference = {{start_.position[body_], start_.orientation[body_]},
                                          {path_of(cell_, frame, body_), frame.orientation[body_]}};
    const Vector3 d = reference.displacement(start_.position[i], path_of(cell_, frame, i));
    return fmt::format(",{},{},{}", d.x(), d.y(), d.z());
  }

 private:
  std::size_t body_ = 0;
  ResultFrame start_;
  Cell cell_;
  std::string header_;
};

// Of a periodic world: periods gone, and where the body would be without a cell.
class Periods {
 public:
  explicit Periods(const ExportSource& source) : cell_(source.results.cell()) {}

  std::string header() const {
    return cell_.is_periodic() ? ",image x,image y,image z,path x [m],path y [m],path z [m]" : "";
  }
  std::string fields(const ResultFrame& frame, std::size_t i) const {
    if (!cell_.is_periodic()) return "";
    const PeriodCount& image = frame.image[i];
    const Vector3 x = path_of(cell_, frame, i);
    return fmt::format(",{},{},{},{},{},{}", image[0], image[1], image[2], x.x(), x.y(), x.z());
  }

 private:
  Cell cell_;
};

// Mean stresses, where the file has them: six components, pressure, shear and asymmetry.
class BodyStresses {
 public:
  explicit BodyStresses(const ExportSource& source)
      : source_(source), there_(source.results.has_stress()) {
    if (!there_) return;
    for (const char* axes : measure::stress_axes) header_ += fmt::format(",stress {} [Pa]", axes);
    header_ += ",pressure [Pa],tau [Pa],asymmetry";
  }

  const std::string& header() const { return header_; }
  void take(std::int64_t frame) {
    if (there_) of_frame_ = source_.results.stress(frame);
  }
  std::string fields(std::size_t i) const {
    if (!there_) return "";
    const measure::StressTensor& s = of_frame_.stress[i];
    return fmt::format(",{},{},{},{},{},{},{},{},{}", s[0], s[1], s[2], s[3], s[4], s[5],
                       measure::pressure_of(s), measure::shear_of(s), of_frame_.asymmetry[i]);
  }

 private:
  const ExportSource& source_;
  bool there_ = false;
  std::string header_;
  ResultStress of_frame_;
};

void write_bodies(const ExportSource& source, OutputFile& file) {
  const RelativeDisplacements relative(source);
  BodyStresses stresses(source);
  const Periods periods(source);
  file.write(
      "time [s],step,body,name,x [m],y [m],z [m],qw,qx,qy,qz,vx [m/s],vy [m/s],vz [m/s],"
      "spin x [rad/s],spin y [rad/s],spin z [rad/s],active" +
      relative.header() + stresses.header() + periods.header() + "\r\n");
  for (const std::int64_t index : source.frames) {
    const ResultFrame frame = source.results.frame(index);
    stresses.take(index);
    std::string text;
    for (std::size_t i = 0; i < frame.position.size(); ++i) {
      const Vector3 &x = frame.position[i], &v = frame.velocity[i], &w = frame.spin[i];
      const Quaternion& q = frame.orientation[i];
      fmt::format_to(std::back_inserter(text),
                     "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}{}{}{}\r\n", frame.time,
                     frame.step, i, csv_field(source.bodies.name[i]), x.x(), x.y(), x.z(), q.w(),
                     q.x(), q.y(), q.z(), v.x(), v.y(), v.z(), w.x(), w.y(), w.z(), frame.active[i],
                     relative.fields(frame, i), stresses.fields(i), periods.fields(frame, i));
    }
    file.write(text);
  }
}

void write_contacts(const ExportSource& source, OutputFile& file) {
  require(source.results.has_contacts(), "table", "the result file holds no contacts");
  const bool periodic = source.results.cell().is_periodic();
  file.write(
      std::string(
          "time [s],step,body_a,body_b,name_a,name_b,x [m],y [m],z [m],nx,ny,nz,gap [m],impulse x "
          "[N s],impulse y [N s],"
          "impulse z [N s],mean force x [N],mean force y [N],mean force z [N],status") +
      (periodic ? ",image_b x,image_b y,image_b z\r\n" : "\r\n"));
  constexpr const char* states[] = {"open", "stick", "slip"};
  for (const std::int64_t index : source.frames) {
    const ResultFrame frame = source.results.frame(index);
    const ResultContacts contacts = source.results.contacts(index);
    std::string text;
    for (std::size_t c = 0; c < contacts.point.size(); ++c) {
      const Vector3 &x = contacts.point[c], &n = contacts.normal[c], &p = contacts.impulse_world[c];
      const Vector3 f = p / source.dt;
      const auto a = static_cast<std::size_t>(contacts.body_a[c]),
                 b = static_cast<std::size_t>(contacts.body_b[c]);
      fmt::format_to(
          std::back_inserter(text), "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
          frame.time, frame.step, a, b, csv_field(source.bodies.name[a]),
          csv_field(source.bodies.name[b]), x.x(), x.y(), x.z(), n.x(), n.y(), n.z(),
          contacts.gap[c], p.x(), p.y(), p.z(), f.x(), f.y(), f.z(), states[contacts.status[c]]);
      if (periodic) {
        const PeriodCount& image = contacts.image[c];
        fmt::format_to(std::back_inserter(text), ",{},{},{}", image[0], image[1], image[2]);
      }
      text += "\r\n";
    }
    file.write(text);
  }
}

struct TableColumn {
  std::string header;
  std::vector<double> values;
};

void write_columns(const std::vector<TableColumn>& columns, OutputFile& file) {
  std::string text;
  for (const TableColumn& column : columns) text += (text.empty() ? "" : ",") + column.header;
  text += "\r\n";
  for (std::size_t row = 0; row < columns.front().values.size(); ++row) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      fmt::format_to(std::back_inserter(text), "{}{}", i == 0 ? "" : ",", columns[i].values[row]);
    }
    text += "\r\n";
  }
  file.write(text);
}

std::vector<TableColumn> ledger(const ResultReader& results) {
  std::vector<TableColumn> columns = {{"time [s]", results.ledger("time")}};
  for (const LedgerColumn& column : ledger_columns)
    columns.push_back({std::string(column.name) + " [J]", results.ledger(column.name)});
  return columns;
}

std::vector<TableColumn> solver(const ResultReader& results) {
  std::vector<TableColumn> columns;
  for (const SolverCount& column : solver_counts)
    columns.push_back({column.name, results.solver(column.name)});
  for (const SolverNumber& column : solver_numbers) {
    const std::string unit = column.unit;
    columns.push_back(
        {column.name + (unit == "-" ? "" : " [" + unit + "]"), results.solver(column.name)});
  }
  return columns;
}

}  // namespace

void write_csv(const ExportSource& source, const ExportTask& task) {
  OutputFile& file = task.out;
  for (const MeasureTable& table : measure_tables()) {
    if (task.table != table.name) continue;
    table.write(source, file);
    return file.finish();
  }
  if (task.table == "ledger")
    write_columns(ledger(source.results), file);
  else if (task.table == "solver")
    write_columns(solver(source.results), file);
  else if (task.table == "contacts")
    write_contacts(source, file);
  else
    write_bodies(source, file);
  file.finish();
}

}  // namespace scree
