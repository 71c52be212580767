// The result file against the states it was written from, in life, after a kill and on a full disk.
#include <catch2/catch.hpp>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <sstream>

#include "engine/base/check.hpp"
#include "engine/files/result_reader.hpp"
#include "engine/files/result_writer.hpp"
#include "engine/state_hash.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/world.hpp"

namespace scree::result_file_test {
namespace {

namespace fs = std::filesystem;

using Folder = test::TemporaryFolder;

// Two blocks, one drawn askew so that its principal axes differ from the user's, a ball and the
// ground.
struct Play : test::World {
  ContactSet contacts;
  std::vector<ContactIndex> in_problem;
  std::vector<Vector3> tangent, impulse, impulse_W, velocity;
  std::vector<ContactStatus> status;
  contact::BodyProblem problem;
  StepRecord record;

  Play() {
    add_plane();
    add_box(Vector3(1.0, 2.0, 3.0), Pose{Vector3(0.0, 0.0, 1.5), Quaternion::Identity()});
    BodyDefinition wedge;
    wedge.name = "wedge";
    const std::vector<Vector3> points = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}, {1, 1, 1}};
    wedge.shape = make_convex_polyhedron(points);
    wedge.density = 2000.0;
    add(wedge, Pose{Vector3(5.0, 0.0, 2.0), Quaternion(0.5, 0.5, 0.5, 0.5)}, Vector3(1.0, 0.0, 0.0),
        Vector3(0.3, 0.2, 0.1));
    add_sphere(0.5, Vector3(9.0, 0.0, 0.5), 7.0);
    model.origin = Vector3(2.6e6, 1.2e6, 500.0);
    settings.time.dt = 0.01;
    settings.output.frames_per_second = 50.0;
  }

  StepView view() const {
    return {model,    settings, state,   record, contacts, in_problem, tangent, impulse, impulse_W,
            velocity, status,   problem, false,  {},       {},         {},      impulse};
  }

  // The n-th step of no mechanics at all: numbers that can be told apart.
  void step(std::int64_t n) {
    const auto k = static_cast<double>(n);
    state.step = record.step = n;
    state.time = record.time = settings.time.dt * k;
    state.x[2].x() = 5.0 + k;
    record.contacts = 2, record.candidates = 3, record.iterations = n;
    record.converged = n != 3;
    record.residual.scaled = 1e-7 * k;
    record.ledger.kinetic = 100.0 * k;
    record.ledger.min_normal_work = -k;
    contacts.clear(), in_problem = {0, 2};
    tangent.clear(), impulse.clear(), impulse_W.clear(), velocity.clear(), status.clear();
    for (int c = 0; c < 3; ++c) {
      contacts.key.push_back({0, c + 1, 0, 3 * c, 0, make_feature(FeatureKind::face, 1),
                              make_feature(FeatureKind::vertex, c)});
      contacts.gap.push_back(-1e-6 * c);
      contacts.normal.push_back(Vector3::UnitZ());
      contacts.point_a.emplace_back(c, 0.0, 0.0);
      contacts.point_b.emplace_back(c, 0.0, 2.0);
    }
    for (const ContactIndex c : in_problem) {
      tangent.push_back(Vector3::UnitX());
      impulse.emplace_back(10.0 + k, c, 0.25);
      impulse_W.emplace_back(c, -0.25, 10.0 + k);
      velocity.emplace_back(0.0, 0.5 * k, c);
      status.push_back(c == 0 ? ContactStatus::stick : ContactStatus::slip);
    }
  }

  ResultWriter open(const std::string& path, bool replace = false) const {
    return {
        path, replace, {"a title", "# the scene\n", "--dt 0.01", "scree test"}, model, settings};
  }

  RunReport report() const {
    RunReport report;
    report.time_end = state.time;
    report.state_hash = state_hash(state);
    return report;
  }

  void play(ResultWriter& writer, std::int64_t steps) {
    writer.record(view(), false);
    for (std::int64_t n = 1; n <= steps; ++n) {
      step(n);
      writer.record(view(), n == steps);
    }
  }
};

std::string message(const std::string& path) {
  try {
    const ResultReader reader(path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

void write_finished(const std::string& path, std::int64_t steps) {
  Play play;
  ResultWriter writer = play.open(path);
  play.play(writer, steps);
  writer.finish(play.report());
}

}  // namespace

TEST_CASE("Result file gives back frames in the axes of the user", "[engine][property]") {
  const Folder folder;
  Play play;
  ResultWriter writer = play.open(folder.file("a.h5"));
  play.play(writer, 5);
  writer.finish(play.report());
  const ResultReader reader(folder.file("a.h5"));
  CHECK(reader.finished());
  CHECK(reader.state_hash() == state_hash(play.state));
  // Steps of 0.01 s, 50 frames a second: the start, steps 2 and 4, and the last.
  REQUIRE(reader.n_frames() == 4);
  CHECK(reader.frame_times() == std::vector<double>{0.0, 0.02, 0.04, 0.05});
  const ResultFrame frame = reader.frame(3), last = reader.last_frame();
  const std::vector<ResultShape> shapes = reader.shapes();
  const ResultBodies bodies = reader.bodies();
  REQUIRE(frame.position.size() == 4);
  REQUIRE(bodies.shape == std::vector<std::int32_t>{0, 1, 2, 3});
  CHECK(shapes[1].kind == "box");
  CHECK(shapes[3].kind == "sphere");
  CHECK(shapes[3].radius == 0.5);
  for (std::size_t i = 1; i < 3; ++i) {
    const auto& inner = std::get<ConvexPolyhedron>(
        play.model.shapes[static_cast<std::size_t>(play.model.part_shape[i])]);
    REQUIRE(shapes[static_cast<std::size_t>(bodies.shape[i])].vertices.size() ==
            inner.vertices.size());
    for (std::size_t k = 0; k < inner.vertices.size(); ++k) {
      const Vector3 expected =
          play.state.q[i] * inner.vertices[k] + play.state.x[i] + play.model.origin;
      const Vector3 read =
          frame.orientation[i] * shapes[static_cast<std::size_t>(bodies.shape[i])].vertices[k] +
          frame.position[i];
      CHECK((read - expected).norm() <= 2e-9);  // round-off of numbers of 3e6: 5e-10 each
    }
    // Spins are of order 1: rounded to 2^-24 of that in frames, to round-off in the last one.
    CHECK((frame.orientation[i] * frame.spin[i] - play.state.q[i] * play.state.w[i]).norm() <=
          1e-7);
    CHECK((last.orientation[i] * last.spin[i] - play.state.q[i] * play.state.w[i]).norm() <= 1e-15);
    const Matrix3 R = play.state.q[i].toRotationMatrix(),
                  R_U = frame.orientation[i].toRotationMatrix();
    const Matrix3 J_W = R * play.model.inertia[i].asDiagonal() * R.transpose();
    CHECK((R_U * bodies.inertia[i] * R_U.transpose() - J_W).norm() <= 1e-12 * J_W.norm());
  }
}

TEST_CASE("Result file draws a shape as its user did", "[engine][oracle]") {
  const Folder folder;
  write_finished(folder.file("a.h5"), 2);
  const ResultReader reader(folder.file("a.h5"));
  // The wedge was placed with its drawing axes turned by (x,y,z) -> (z,x,y); at the start nothing
  // has moved.
  const ResultFrame frame = reader.frame(0);
  const Quaternion placed(0.5, 0.5, 0.5, 0.5);
  CHECK(std::abs(std::abs(frame.orientation[2].dot(placed)) - 1.0) <= 1e-14);
  const std::vector<Vector3> vertices = reader.shapes()[2].vertices;
  REQUIRE(vertices.size() == 5);
  bool found = false;
  for (const Vector3& vertex : vertices)
    found = found || (vertex - vertices[0] - Vector3(0.0, 2.0, 0.0)).norm() <= 1e-14;
  CHECK(found);
}

TEST_CASE("Result file tells apart drawings that share a shape in principal axes",
          "[engine][property]") {
  Play play;
  const Folder folder;
  // The same shape in axes B for two bodies whose users drew it turned against each other.
  play.model.part_shape[2] = play.model.part_shape[1];
  play.model.q_BU[1] = Quaternion::Identity();
  play.model.q_BU[2] = Quaternion(0.6, 0.0, 0.0, 0.8);
  ResultWriter writer = play.open(folder.file("a.h5"));
  play.play(writer, 1);
  writer.finish(play.report());
  const ResultReader reader(folder.file("a.h5"));
  CHECK(reader.bodies().shape == std::vector<std::int32_t>{0, 1, 2, 3});
}

TEST_CASE("Result file has the velocities of its last frame to the last bit",
          "[engine][property]") {
  const Folder folder;
  for (const VelocityPrecision precision :
       {VelocityPrecision::single_precision, VelocityPrecision::double_precision}) {
    const bool rounds = precision == VelocityPrecision::single_precision;
    Play play;
    play.settings.output.velocities = precision;
    ResultWriter writer = play.open(folder.file("a.h5"), true);
    writer.record(play.view(), false);
    for (std::int64_t n = 1; n <= 45; ++n) {  // frames are written out several times
      play.step(n);
      play.state.v[2] = Vector3(0.1, 1.0 / 3.0, 1e-9) * static_cast<double>(n);
      writer.record(play.view(), n == 45);
      if (n % 20 != 0) continue;
      writer.flush();
      const ResultReader running(folder.file("a.h5"));
      CHECK(running.last_frame().velocity[2] == play.state.v[2]);
    }
    writer.finish(play.report());
    const ResultReader reader(folder.file("a.h5"));
    const ResultFrame frame = reader.frame(reader.n_frames() - 1), last = reader.last_frame();
    CHECK(last.time == frame.time);
    CHECK(last.position == frame.position);
    CHECK(last.velocity[2] == play.state.v[2]);
    CHECK((frame.velocity[2] == play.state.v[2]) != rounds);
    CHECK(frame.velocity[2].cast<float>() == play.state.v[2].cast<float>());
  }
}

TEST_CASE("Result file keeps the contacts of each frame", "[engine][property]") {
  const Folder folder;
  write_finished(folder.file("a.h5"), 5);
  const ResultReader reader(folder.file("a.h5"));
  REQUIRE(reader.has_contacts());
  CHECK(reader.n_contacts() == 6);
  CHECK(reader.contacts(0).gap.empty());
  const ResultContacts contacts = reader.contacts(2);  // step 4
  REQUIRE(contacts.gap.size() == 2);
  CHECK(contacts.body_b == std::vector<std::int32_t>{1, 3});
  CHECK(contacts.part_a == std::vector<std::int32_t>{0, 0});
  CHECK(contacts.part_b == std::vector<std::int32_t>{0, 6});
  CHECK(contacts.feature_b[1] == make_feature(FeatureKind::vertex, 2));
  CHECK(contacts.gap[1] == -2e-6);
  CHECK(contacts.point[1] == Vector3(2.6e6 + 2.0, 1.2e6, 501.0));
  CHECK(contacts.impulse[1] == Vector3(14.0, 2.0, 0.25));
  CHECK(contacts.impulse_world[1] == Vector3(2.0, -0.25, 14.0));
  CHECK(contacts.velocity[1] == Vector3(0.0, 2.0, 2.0));
  CHECK(contacts.tangent[0] == Vector3::UnitX());
  CHECK(contacts.status == std::vector<std::uint8_t>{1, 2});
}

TEST_CASE("Result file has a row of the ledger and of the solver for every step",
          "[engine][property]") {
  const Folder folder;
  write_finished(folder.file("a.h5"), 1500);  // more than two chunks
  const ResultReader reader(folder.file("a.h5"));
  REQUIRE(reader.n_steps() == 1500);
  const std::vector<double> kinetic = reader.ledger("kinetic"),
                            iterations = reader.solver("iterations"),
                            converged = reader.solver("converged"), time = reader.solver("time");
  REQUIRE(kinetic.size() == 1501);
  REQUIRE(iterations.size() == 1500);
  for (std::size_t n = 1; n <= 1500; ++n) {
    const auto k = static_cast<double>(n);
    REQUIRE(kinetic[n] == 100.0 * k);
    REQUIRE(iterations[n - 1] == k);
    REQUIRE(time[n - 1] == 0.01 * k);
    REQUIRE(converged[n - 1] == (n == 3 ? 0.0 : 1.0));
  }
  CHECK(reader.ledger("max_negative_normal_work")[7] == -7.0);
  CHECK(reader.solver("residual_scaled")[9] == 1e-7 * 10.0);
  CHECK(reader.time_end() == 15.0);
  CHECK_THROWS_AS(reader.ledger("kinetc"), InputError);
  CHECK_THROWS_AS(reader.solver("kinetic"), InputError);
}

TEST_CASE("Result file names its scene and settings", "[engine][unit]") {
  const Folder folder;
  write_finished(folder.file("a.h5"), 1);
  const ResultReader reader(folder.file("a.h5"));
  CHECK(reader.title() == "a title");
  CHECK(reader.scene_source() == "# the scene\n");
  CHECK(reader.scene_sha256() == sha256("# the scene\n", 12));
  CHECK(reader.settings().at("dt") == "0.01");
  CHECK(reader.settings().at("measure") == "scaled");
  CHECK(reader.settings().at("overrides") == "--dt 0.01");
  CHECK(reader.materials() == std::vector<std::string>{"stone"});
  CHECK(reader.bodies().name[2] == "wedge");
}

TEST_CASE("Result file without frames has its tables", "[engine][unit]") {
  const Folder folder;
  Play play;
  play.settings.output.keep_frames = false;
  ResultWriter writer = play.open(folder.file("a.h5"));
  play.play(writer, 4);
  writer.finish(play.report());
  const ResultReader reader(folder.file("a.h5"));
  CHECK(reader.n_frames() == 0);
  CHECK(reader.n_steps() == 4);
  CHECK_FALSE(reader.has_contacts());
}

TEST_CASE("Result file keeps first and last frame at no frames a second", "[engine][unit]") {
  const Folder folder;
  Play play;
  play.settings.output.frames_per_second = 0.0;
  ResultWriter writer = play.open(folder.file("a.h5"));
  play.play(writer, 7);
  writer.finish(play.report());
  CHECK(ResultReader(folder.file("a.h5")).frame_times() == std::vector<double>{0.0, 0.07});
}

TEST_CASE("Result file can be read while it grows", "[engine][property]") {
  const Folder folder;
  Play play;
  ResultWriter writer = play.open(folder.file("a.h5"));
  play.play(writer, 3);
  // Another process, since HDF5 shares one view of a file within a process.
  const pid_t child = fork();
  if (child == 0) {
    const ResultReader reader(folder.file("a.h5"));
    _exit(reader.n_steps() == 3 && reader.n_frames() == 3 && !reader.finished() &&
                  reader.state_hash().empty()
              ? 0
              : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WEXITSTATUS(status) == 0);
  play.step(4);
  writer.record(play.view(), true);
  writer.finish(play.report());
  CHECK(ResultReader(folder.file("a.h5")).n_steps() == 4);
}

TEST_CASE("Result file of a killed run opens up to the last flush", "[engine][property]") {
  const Folder folder;
  for (const std::int64_t steps : {0, 1, 100, 1300}) {
    const std::string path = folder.file(std::to_string(steps) + ".h5");
    const pid_t child = fork();
    if (child == 0) {
      Play play;
      ResultWriter writer = play.open(path);
      play.play(writer, steps);
      writer.flush();
      for (std::int64_t n = steps + 1; n < steps + 200; ++n) {
        play.step(n);
        writer.record(play.view(), false);
      }
      raise(SIGKILL);
    }
    waitpid(child, nullptr, 0);
    const ResultReader reader(path);
    CHECK(reader.n_steps() >= steps);
    CHECK(reader.n_frames() >= steps / 2 + 1);
    CHECK_FALSE(reader.finished());
    CHECK(reader.frame(reader.n_frames() - 1).position.size() == 4);
    if (reader.n_steps() > 0)
      CHECK(reader.ledger("kinetic").back() == 100.0 * static_cast<double>(reader.n_steps()));
  }
}

TEST_CASE("Result file on a full disk stays readable and says up to when", "[engine][property]") {
  const Folder folder;
  std::signal(SIGXFSZ, SIG_IGN);
  for (const rlim_t limit : {rlim_t{200000}, rlim_t{300000}, rlim_t{777777}}) {
    const std::string path = folder.file(std::to_string(limit) + ".h5"), note = folder.file("note");
    const pid_t child = fork();
    if (child == 0) {
      const rlimit size{limit, limit};
      setrlimit(RLIMIT_FSIZE, &size);
      Play play;
      try {
        ResultWriter writer = play.open(path);
        writer.record(play.view(), false);
        for (std::int64_t n = 1; n < 20000; ++n) {
          play.step(n);
          writer.record(play.view(), false);
          if (n % 100 == 0) writer.flush();
        }
        _exit(1);
      } catch (const RecordingFailure& failure) {
        std::ofstream(note) << failure.what();
      }
      exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    REQUIRE(WIFEXITED(status));
    REQUIRE(WEXITSTATUS(status) == 0);
    std::ifstream stream(note);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    CAPTURE(text);
    CHECK(text.find("File too large") != std::string::npos);
    const std::size_t at = text.find("t = ");
    REQUIRE(at != std::string::npos);
    const double promised = std::stod(text.substr(at + 4));
    const ResultReader reader(path);
    CHECK(reader.time_end() == Approx(promised));
    CHECK(reader.failure() == "writing failed: " + text.substr(path.size() + 2));
    const std::size_t frames_at = text.find("frames up to t = ");
    REQUIRE(frames_at != std::string::npos);
    CHECK(reader.frame_times().back() == Approx(std::stod(text.substr(frames_at + 17))));
    CHECK(reader.ledger("kinetic").back() == 100.0 * static_cast<double>(reader.n_steps()));
    for (std::int64_t i = 0; i < reader.n_frames(); ++i)
      REQUIRE(reader.contacts(i).gap.size() == (i == 0 ? 0U : 2U));
  }
}

TEST_CASE("Result file of a run that failed elsewhere says why and up to when it can be read",
          "[engine][unit]") {
  const Folder folder;
  const std::string path = folder.file("failed.h5");
  Play play;
  ResultWriter writer = play.open(path);
  writer.record(play.view(), false);
  for (std::int64_t n = 1; n <= 7; ++n) {
    play.step(n);
    writer.record(play.view(), false);
  }
  writer.fail("writing failed: a checkpoint");
  const ResultReader reader(path);
  std::ostringstream expected;
  expected << std::setprecision(9)
           << "writing failed: a checkpoint; it is readable up to t = " << reader.time_end()
           << " s";
  CHECK(reader.time_end() == play.record.time);
  CHECK(reader.failure() == expected.str());
}

TEST_CASE("Result writer refuses targets it may not touch", "[engine][unit]") {
  const Folder folder;
  const Play play;
  const std::string path = folder.file("a.h5");
  std::ofstream(path) << "precious";
  CHECK_THROWS_AS(play.open(path), InputError);
  CHECK_THROWS_AS(play.open(folder.file("none/a.h5")), InputError);
  CHECK_THROWS_AS(play.open(folder.file(".")), InputError);
  CHECK_THROWS_AS(play.open("/dev/full", true), InputError);
  CHECK(fs::file_size(path) == 8);
  CHECK(folder.count() == 1);
}

TEST_CASE("Result writer replaces a file at its first flush and not before", "[engine][property]") {
  const Folder folder;
  Play play;
  const std::string path = folder.file("a.h5");
  std::ofstream(path) << "precious";
  {
    const ResultWriter unused = play.open(path, true);
    CHECK(fs::file_size(path) == 8);
  }
  CHECK(fs::file_size(path) == 8);
  CHECK(folder.count() == 1);
  {
    ResultWriter writer = play.open(path, true);
    play.play(writer, 3);
    CHECK(folder.count() == 2);  // and the copy that is written next
    CHECK(ResultReader(path).n_steps() == 3);
    play.step(4);
    writer.record(play.view(), true);
    writer.finish(play.report());
  }
  CHECK(folder.count() == 1);
  CHECK(ResultReader(path).n_steps() == 4);
}

TEST_CASE("Result writer that waits for a checkpoint leaves the older file when none comes",
          "[engine][property]") {
  const Folder folder;
  Play play;
  const std::string path = folder.file("a.h5");
  std::ofstream(path) << "precious";
  ResultWriter writer = play.open(path, true);
  writer.hold();
  play.play(writer, 3);
  writer.prepare();
  writer.fail("no space left for the checkpoint");
  CHECK(writer.readable() == path + ": nothing was recorded");
  CHECK(fs::file_size(path) == 8);
}

TEST_CASE("Result reader refuses what it cannot read in one line", "[engine][unit]") {
  const Folder folder;
  const std::string good = folder.file("good.h5"), bad = folder.file("bad.h5");
  write_finished(good, 700);
  CHECK(message(good).empty());
  CHECK(message(folder.file("none.h5")).find("No such file") != std::string::npos);
  std::ofstream(bad) << "title = \"a scene\"\n";
  CHECK(message(bad).find("not an HDF5 file") != std::string::npos);
  for (const double share : {0.001, 0.2, 0.5, 0.9, 0.999}) {
    fs::copy_file(good, bad, fs::copy_options::overwrite_existing);
    fs::resize_file(bad,
                    static_cast<std::uintmax_t>(share * static_cast<double>(fs::file_size(good))));
    const std::string text = message(bad);
    CAPTURE(share, text);
    CHECK(text.find("damaged or truncated") != std::string::npos);
    CHECK(text.find('\n') == std::string::npos);
  }
}

}  // namespace scree::result_file_test
