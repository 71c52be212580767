// Moreau's impact law with tangential restitution: its rows, and the energy of random impacts.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "contact/laws/laws.hpp"
#include "contact/problem/local_frame.hpp"
#include "contact/solver/solver.hpp"
#include "tests/support/body_solution.hpp"
#include "tests/support/places.hpp"
#include "tests/support/random_problems.hpp"
#include "tests/support/validation_table.hpp"

namespace moreau_test {

using namespace scree;

namespace {

const ImpactLaw moreau = *contact::Laws::named("moreau");
const ImpactLaw published = *contact::Laws::named("moreau_published");

PairLaw law_of(ImpactLaw law, double mu, double e, double e_T) {
  PairLaw pair;
  pair.mu = mu, pair.e = e, pair.law = law;
  contact::Laws::number(pair, "e_T") = e_T;
  return pair;
}

contact::ContactRow row_of(const PairLaw& pair, const Vector3& u_0, const Vector3& spin_0) {
  const contact::ContactInput in = {
      .mu = pair.mu, .e = pair.e, .theta = 0.5, .u_0 = u_0, .spin_0 = spin_0};
  return contact::Laws::row(pair, in);
}

// Works u_theta . p of an impact over its kinetic energy at the start.
struct Works {
  bool solved = false;
  double most = 0.0, total = 0.0;  // of one contact; of all
};

Works works_of(const test::LawCase& impact) {
  const contact::BodyProblem& problem = impact.problem;
  contact::SolverOptions options;
  options.tolerance = 1e-12;
  options.max_iterations = 3000;
  const test::BodySolution s = test::solve(problem, options);
  Works works;
  works.solved = s.report.converged;
  double energy = 0.0;
  for (std::size_t i = 1; i < problem.n_bodies(); ++i) {
    energy +=
        0.5 * problem.v_free[i].squaredNorm() / problem.inverse_mass[i] +
        0.5 * problem.w_free_W[i].dot(problem.inverse_inertia_W[i].inverse() * problem.w_free_W[i]);
  }
  for (std::size_t c = 0; c < problem.n_contacts(); ++c) {
    const Vector3 u_1 = contact::local_velocity(problem, c, s.v, s.w_W);
    const double work =
        s.p[c].dot((1.0 - impact.theta) * impact.u_0[c] + impact.theta * u_1) / energy;
    works.most = std::max(works.most, work);
    works.total += work;
  }
  return works;
}

struct Shares {
  int solved = 0, contact = 0, total = 0;  // impacts with positive work
  double most = 0.0, most_total = 0.0;
};

template <class SetLaw>
Shares shares_of(int n, double theta, SetLaw&& set) {
  // The residual, 1e-12 of the impulses, which coupling stretches.
  constexpr double resolved = 1e-9;
  Shares shares;
  for (int seed = 0; seed < n; ++seed) {
    const Works works = works_of(test::random_impact(static_cast<std::uint64_t>(seed), theta, set));
    if (!works.solved) continue;
    ++shares.solved;
    shares.contact += works.most > resolved ? 1 : 0;
    shares.total += works.total > resolved ? 1 : 0;
    shares.most = std::max(shares.most, works.most);
    shares.most_total = std::max(shares.most_total, works.total);
  }
  return shares;
}

}  // namespace

TEST_CASE("Rows of Moreau's law lie between those of newton and fremond", "[contact][unit]") {
  const Vector3 spin(0.3, -0.2, 0.7);
  for (const double e : {0.0, 0.3, 1.0}) {
    for (const Vector3& u : {Vector3(-2.0, 0.5, -1.0), Vector3(2.0, 0.5, -1.0)}) {
      for (const ImpactLaw law : {moreau, published}) {
        const auto zero = row_of(law_of(law, 0.5, e, 0.0), u, spin);
        const auto newton = row_of(law_of(ImpactLaw::newton, 0.5, e, 0.0), u, spin);
        CHECK(zero.bias == newton.bias);
        CHECK(zero.spin_bias == newton.spin_bias);
        CHECK(zero.scale == newton.scale);
      }
      const auto one = row_of(law_of(moreau, 0.5, e, 1.0), u, spin);
      const auto fremond = row_of(law_of(ImpactLaw::fremond, 0.5, e, 0.0), u, spin);
      CHECK(one.bias == fremond.bias);
      CHECK(one.spin_bias == fremond.spin_bias);
      CHECK(one.scale == fremond.scale);
      const auto reversed = row_of(law_of(moreau, 0.5, e, -1.0), u, spin);
      const double acts = u.x() < 0.0 ? -1.0 : 0.0;  // below zero e_T acts in impacts only
      CHECK(reversed.bias == Vector3(std::min(e * u.x(), 0.0), acts * 0.5, -acts));
      CHECK(reversed.spin_bias == acts * spin);
      const auto asked = row_of(law_of(published, 0.5, e, -1.0), u, spin);
      CHECK(asked.bias == Vector3(std::min(e * u.x(), 0.0), -0.5, 1.0));
      const auto source = row_of(law_of(published, 0.5, e, 0.5), u, spin);
      CHECK(source.bias == Vector3(std::min(e * u.x(), 0.0), 0.25, -0.5));
    }
  }
}

TEST_CASE("Numbers of a law belong to the laws that take them", "[contact][unit]") {
  for (std::size_t i = 0; i < contact::Laws::parameters.size(); ++i) {
    const bool own = std::string("e_T") == contact::Laws::parameters[i].name;
    CHECK(contact::Laws::takes(ImpactLaw::fremond, i) == !own);
    CHECK(contact::Laws::takes(ImpactLaw::newton, i) == !own);
    CHECK(contact::Laws::takes(moreau, i));
    CHECK(contact::Laws::takes(published, i));
  }
}

TEST_CASE("No contact does positive work for e_T = 1 at theta = 1/2", "[contact][property]") {
  const auto set = [](test::Random& random, PairLaw& pair) {
    pair = law_of(moreau, pair.mu, random.uniform(0.0, 1.0), 1.0);
  };
  const Shares shares = shares_of(10000, 0.5, set);
  CHECK(shares.solved > 9000);
  CHECK(test::validated({"Properties over random cases",
                         "moreau, e_T = 1, 10000 impacts: largest positive work of a contact over "
                         "the energy",
                         0.0, shares.most, 1e-9, false, "[Fremond24] proposition 1"}));
  // The published form, in which a separating contact aims at u_N = 0: so the test can fail.
  const Shares source = shares_of(1000, 0.5, [](test::Random& random, PairLaw& pair) {
    pair = law_of(published, pair.mu, random.uniform(0.0, 1.0), 1.0);
  });
  CHECK(source.contact > 10);
}

TEST_CASE("Contacts together do no positive work for e_T = e, the same everywhere",
          "[contact][property]") {
  for (const double e : {0.0, 0.25, 0.5, 1.0}) {
    // theta = 1/(1 + e) is the bound.
    for (const double theta : {0.5, 1.0 / (1.0 + e)}) {
      const Shares shares = shares_of(
          2500, theta, [e](test::Random&, PairLaw& pair) { pair = law_of(moreau, pair.mu, e, e); });
      INFO("e = " << e << ", theta = " << theta);
      CHECK(shares.solved > 2200);
      CHECK(shares.most_total < 1e-9);
    }
  }
  // With e = 1 and e_T = 0, which is newton, they may.
  const Shares newton = shares_of(
      1000, 0.5, [](test::Random&, PairLaw& pair) { pair = law_of(moreau, pair.mu, 1.0, 0.0); });
  CHECK(newton.total > 0);
}

namespace {

// Rows of the table of engine/method/tangential_restitution.md: e_T, impacts that were solved, of
// these with a contact that does positive work and with positive work in total, largest of both.
struct TableRow {
  double e_T = 0.0;
  std::string solved, contact, total, most, most_total;
};

std::vector<TableRow> table_of_page() {
  std::ifstream page(test::source_folder() + "/engine/method/tangential_restitution.md");
  std::vector<TableRow> rows;
  for (std::string line; std::getline(page, line);) {
    std::vector<std::string> cells;
    std::istringstream text(line);
    for (std::string cell; std::getline(text, cell, '|');) {
      const auto first = cell.find_first_not_of(' '), last = cell.find_last_not_of(' ');
      cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
    }
    if (cells.size() != 7 || cells[1].find_first_not_of("-.0123456789") != std::string::npos ||
        cells[1].find_first_of("0123456789") == std::string::npos)
      continue;
    rows.push_back({std::stod(cells[1]), cells[2], cells[3], cells[4], cells[5], cells[6]});
  }
  return rows;
}

std::string percent(int part, int of) {
  return part == 0 ? "0" : test::digits(100.0 * part / of, 2) + " %";
}

// Two digits, without an exponent.
std::string size(double work) {
  if (work >= 100.0) return std::to_string(10 * std::lround(work / 10.0));
  return work < 1e-9 ? "0" : test::digits(work, 2);
}

// `n` impacts of a row, held against the page's.
void check_share(const TableRow& row, int n) {
  const Shares shares = shares_of(n, 0.5, [&](test::Random& random, PairLaw& pair) {
    pair = law_of(moreau, pair.mu, random.uniform(0.0, 1.0), row.e_T);
  });
  INFO("e_T = " << row.e_T << ": " << shares.solved << " | "
                << percent(shares.contact, shares.solved) << " | "
                << percent(shares.total, shares.solved) << " | " << size(shares.most) << " | "
                << size(shares.most_total));
  CHECK(10 * shares.solved > 9 * n);
  CHECK((row.e_T == 1.0) == (shares.contact == 0));
  CHECK(std::to_string(shares.solved) == row.solved);
  CHECK(percent(shares.contact, shares.solved) == row.contact);
  CHECK(percent(shares.total, shares.solved) == row.total);
  CHECK(size(shares.most) == row.most);
  CHECK(size(shares.most_total) == row.most_total);
}

}  // namespace

TEST_CASE(
    "Share of impacts in which a contact does positive work, against e_T, is that of the page",
    "[contact][property]") {
  const std::vector<TableRow> rows = table_of_page();
  REQUIRE(rows.size() == 7);
  for (const TableRow& row : rows) check_share(row, 10000);
}

}  // namespace moreau_test
