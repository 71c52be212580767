#include "tools/joints/write_joints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "engine/base/index.hpp"
#include "engine/base/printable.hpp"

namespace scree {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

Json list(const Vector3& v) { return Json::array({v.x(), v.y(), v.z()}); }

std::string joints_csv(const JointReport& report) {
  std::string text =
      "a,b,area [m2],gap [m],overlap [m],normal_x,normal_y,normal_z,normal_force [N],shear_force "
      "[N],force_x [N],force_y [N],force_z [N],point_x [m],point_y [m],point_z [m],torsion [N "
      "m],eccentricity [m],thickness [m],eccentricity/thickness,edge_share,utilisation,hinge,"
      "corners,state\n";
  const auto out = std::back_inserter(text);
  for (const JointForce& f : report.joints) {
    const blocks::Joint& joint = f.joint;
    // What is not loaded, or has no face, has no place in it.
    const bool placed = f.thickness > 0.0;
    const auto of_face = [&](double value) { return placed ? fmt::format("{}", value) : ""; };
    fmt::format_to(
        out, "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
        csv_field(report.name[index(joint.a)]), csv_field(report.name[index(joint.b)]), joint.area,
        joint.gap, joint.overlap, joint.normal.x(), joint.normal.y(), joint.normal.z(), f.normal,
        f.shear.norm(), f.force.x(), f.force.y(), f.force.z(), f.point.x(), f.point.y(),
        f.point.z(), f.torsion, of_face(f.eccentricity), of_face(f.thickness),
        of_face(f.eccentricity / f.thickness), of_face(f.edge_share), f.utilisation(),
        f.hinge ? 1 : 0, f.corners.size(), name_of(f.state));
  }
  return text;
}

Json joints_json(const JointReport& report, const std::vector<AskedInterval>& intervals) {
  Json json;
  json["title"] = report.title;
  json["file"] = report.source;
  json["time [s]"] = report.time;
  json["units"] = "N, m, N m; force of a joint: on b, world axes";
  json["weight [N]"] = report.weight.norm();
  json["residual"] = report.residual;
  json["residual_block"] =
      report.residual_body < 0 ? Json() : Json(report.name[index(report.residual_body)]);
  json["at_rest"] = report.at_rest();
  json["state"] = name_of(report.verdict.motion);
  json["in_balance"] = report.balanced();
  json["may_come_to_rest"] = report.verdict.settling;
  json["solver_residual"] = report.solver_residual;
  json["largest_speed [m/s]"] = report.speed;
  json["fastest_block"] =
      report.verdict.body < 0 ? Json() : Json(report.name[index(report.verdict.body)]);
  json["its_speed [m/s]"] = report.verdict.speed;
  json["its_speed_at_rest [m/s]"] = report.verdict.bound;
  json["largest_displacement [m]"] = report.moved;
  json["joints"] = Json::array();
  for (const JointForce& f : report.joints) {
    // What is not loaded, or has no face, has no place in it.
    const auto of_face = [&](double value) { return f.thickness > 0.0 ? Json(value) : Json(); };
    Json joint = {{"a", report.name[index(f.joint.a)]},
                  {"b", report.name[index(f.joint.b)]},
                  {"area", f.joint.area},
                  {"gap", f.joint.gap},
                  {"overlap", f.joint.overlap},
                  {"centre", list(f.joint.centre)},
                  {"normal", list(f.joint.normal)},
                  {"force", list(f.force)},
                  {"normal_force", f.normal},
                  {"shear_force", f.shear.norm()},
                  {"point", list(f.point)},
                  {"torsion", f.torsion},
                  {"eccentricity", of_face(f.eccentricity)},
                  {"thickness", of_face(f.thickness)},
                  {"edge_share", of_face(f.edge_share)},
                  {"utilisation", f.utilisation()},
                  {"hinge", f.hinge},
                  {"state", name_of(f.state)}};
    joint["polygons"] = Json::array();
    for (const auto& polygon : f.joint.polygons) {
      Json corners = Json::array();
      for (const Vector3& p : polygon) corners.push_back(list(p));
      joint["polygons"].push_back(corners);
    }
    joint["corners"] = Json::array();
    for (const CornerForce& corner : f.corners)
      joint["corners"].push_back({{"point", list(corner.point)},
                                  {"force", list(corner.force)},
                                  {"normal", corner.normal}});
    json["joints"].push_back(joint);
  }
  json["reactions"] = Json::array();
  for (const Reaction& reaction : report.reactions) {
    json["reactions"].push_back({{"support", report.name[index(reaction.body)]},
                                 {"force", list(reaction.force)},
                                 {"point", list(reaction.point)},
                                 {"moment", list(reaction.moment)},
                                 {"joints", reaction.joints}});
  }
  json["thrust"] = Json::array();
  for (const ThrustSegment& segment : thrust_segments(report)) {
    json["thrust"].push_back(
        {list(report.joints[segment.from].point), list(report.joints[segment.to].point)});
  }
  json["intervals"] = Json::array();
  for (const AskedInterval& asked : intervals) {
    const Interval& i = asked.interval;
    Json row = {{"resultant", asked.resultant.text},
                {"computed", i.computed},
                {"admissible", i.admissible}};
    if (i.admissible) {
      row["low"] = i.bounded_low ? Json(i.low) : Json();
      row["high"] = i.bounded_high ? Json(i.high) : Json();
      row["low_outer_cone"] = i.bounded_low ? Json(i.low_outer) : Json();
      row["high_outer_cone"] = i.bounded_high ? Json(i.high_outer) : Json();
      row["error"] = i.bounded_low || i.bounded_high ? Json(i.error) : Json();
      row["computed_outside"] = i.outside();
    } else {
      row["missing_share_of_a_block"] = i.missing;
    }
    json["intervals"].push_back(row);
  }
  return json;
}

std::vector<ThrustSegment> thrust_segments(const JointReport& report) {
  std::vector<std::vector<std::size_t>> of_body(report.name.size());
  for (std::size_t j = 0; j < report.joints.size(); ++j) {
    if (!report.joints[j].loaded()) continue;
    of_body[index(report.joints[j].joint.a)].push_back(j);
    of_body[index(report.joints[j].joint.b)].push_back(j);
  }
  std::vector<ThrustSegment> segments;
  for (std::size_t i = 0; i < of_body.size(); ++i) {
    if (report.fixed[i] != 0) continue;
    const std::vector<std::size_t>& own = of_body[i];
    if (own.size() == 2) {
      segments.push_back({own[0], own[1]});
      continue;
    }
    // Weights that come from joints pushing the block down go on through those that hold it up.
    const Vector3 down = report.gravity.norm() > 0.0 ? Vector3(report.gravity.normalized())
                                                     : Vector3(-Vector3::UnitZ());
    const auto push = [&](std::size_t j) {
      const double sign = report.joints[j].joint.b == static_cast<std::int32_t>(i) ? 1.0 : -1.0;
      return sign * down.dot(report.joints[j].force);
    };
    for (const std::size_t from : own) {
      for (const std::size_t to : own) {
        if (push(from) > 0.0 && push(to) < 0.0) segments.push_back({from, to});
      }
    }
  }
  return segments;
}

}  // namespace scree
