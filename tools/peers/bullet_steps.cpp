// Bodies of a start, steps of Bullet, a trace. Numbers come on standard input and go to standard
// output as text: bullet.py writes and reads them. usage: bullet_steps < JOB > TRACE
#include <btBulletDynamicsCommon.h>

#include <chrono>
#include <cstdio>
#include <iostream>
#include <memory>
#include <vector>

namespace {

template <typename Number>
Number next() {
  Number value;
  if (!(std::cin >> value)) {
    std::fprintf(stderr, "bullet_steps: the job ends too early\n");
    std::exit(2);
  }
  return value;
}

btVector3 next_vector() {
  const double x = next<double>(), y = next<double>(), z = next<double>();
  return btVector3(btScalar(x), btScalar(y), btScalar(z));
}

struct World {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btRigidBody>> bodies;

  btRigidBody& add(double mass, const btVector3& inertia, btCollisionShape* shape, double mu,
                   double e) {
    bodies.push_back(std::make_unique<btRigidBody>(btScalar(mass), nullptr, shape, inertia));
    btRigidBody& body = *bodies.back();
    body.setFriction(btScalar(mu)), body.setRestitution(btScalar(e)), body.setDamping(0, 0);
    body.setActivationState(DISABLE_DEACTIVATION);
    world.addRigidBody(&body);
    return body;
  }
};

void print(const btVector3& v) {
  std::printf("%.17g %.17g %.17g ", double(v.x()), double(v.y()), double(v.z()));
}

// Position, orientation (w, x, y, z) of the principal axes, velocity and spin in world axes, a line
// a body.
void print_state(const World& world, int planes) {
  std::printf("state\n");
  for (std::size_t i = std::size_t(planes); i < world.bodies.size(); ++i) {
    const btRigidBody& body = *world.bodies[i];
    print(body.getWorldTransform().getOrigin());
    const btQuaternion q = body.getWorldTransform().getRotation();
    std::printf("%.17g %.17g %.17g %.17g ", double(q.w()), double(q.x()), double(q.y()),
                double(q.z()));
    print(body.getLinearVelocity()), print(body.getAngularVelocity());
    std::printf("\n");
  }
}

// a, b (-1: a plane), point, normal from a to b, impulse on b.
void print_contacts(World& world, int planes) {
  std::printf("contacts\n");
  for (int m = 0; m < world.dispatcher.getNumManifolds(); ++m) {
    const btPersistentManifold& manifold = *world.dispatcher.getManifoldByIndexInternal(m);
    const int first = manifold.getBody0()->getUserIndex() - planes,
              second = manifold.getBody1()->getUserIndex() - planes;
    for (int k = 0; k < manifold.getNumContacts(); ++k) {
      const btManifoldPoint& point = manifold.getContactPoint(k);
      const btVector3 impulse = point.m_appliedImpulse * point.m_normalWorldOnB +
                                point.m_appliedImpulseLateral1 * point.m_lateralFrictionDir1 +
                                point.m_appliedImpulseLateral2 * point.m_lateralFrictionDir2;
      const double sign =
          first < 0 ? -1.0 : 1.0;  // Bullet's impulse and normal are of its first body
      std::printf("%d %d ", sign > 0 ? (second < 0 ? -1 : second) : -1, sign > 0 ? first : second);
      print(point.getPositionWorldOnB()), print(btScalar(sign) * point.m_normalWorldOnB),
          print(btScalar(sign) * impulse);
      std::printf("\n");
    }
  }
}

}  // namespace

int main() {
  const double dt = next<double>(), mu = next<double>(), e = next<double>(),
               margin = next<double>();
  const int iterations = next<int>(), warm_up = next<int>(), steps = next<int>();
  World world;
  world.world.setGravity(btVector3(0, 0, btScalar(-9.81)));
  world.world.getSolverInfo().m_numIterations = iterations;
  // Bullet multiplies the frictions of two bodies, and their restitutions.
  const double friction = std::sqrt(mu), restitution = std::sqrt(e);
  const int planes = next<int>();
  for (int i = 0; i < planes; ++i) {
    const btVector3 normal = next_vector();
    world.shapes.push_back(std::make_unique<btStaticPlaneShape>(normal, btScalar(next<double>())));
    world.add(0, btVector3(0, 0, 0), world.shapes.back().get(), friction, restitution)
        .setUserIndex(i);
  }
  std::vector<btCollisionShape*> shapes;
  for (int i = next<int>(); i > 0; --i) {
    const int is_box = next<int>();
    if (is_box != 0) {
      const btVector3 half = next_vector();
      world.shapes.push_back(std::make_unique<btBoxShape>(half));
    } else {
      auto hull = std::make_unique<btConvexHullShape>();
      for (int k = next<int>(); k > 0; --k) hull->addPoint(next_vector(), false);
      hull->recalcLocalAabb();
      world.shapes.push_back(std::move(hull));
    }
    world.shapes.back()->setMargin(btScalar(margin));
    shapes.push_back(world.shapes.back().get());
  }
  const int bodies = next<int>();
  for (int i = 0; i < bodies; ++i) {
    const int shape = next<int>();
    const double mass = next<double>();
    const btVector3 inertia = next_vector(), x = next_vector();
    const double w = next<double>();
    const btVector3 q = next_vector(), v = next_vector(), spin = next_vector();
    btRigidBody& body = world.add(mass, inertia, shapes[std::size_t(shape)], friction, restitution);
    const btTransform pose(btQuaternion(q.x(), q.y(), q.z(), btScalar(w)), x);
    body.setWorldTransform(pose), body.setInterpolationWorldTransform(pose);
    body.setLinearVelocity(v), body.setAngularVelocity(spin), body.setUserIndex(planes + i);
  }
  for (int i = 0; i < warm_up; ++i) world.world.stepSimulation(btScalar(dt), 0);
  print_state(world, planes);
  for (int i = 0; i < steps; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    world.world.stepSimulation(btScalar(dt), 0);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    std::printf("seconds\n%.9g\n", seconds.count());
    print_contacts(world, planes), print_state(world, planes);
  }
}
