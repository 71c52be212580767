// Farm of a build without MPI.
#include <cstdlib>

#include "engine/base/check.hpp"
#include "tools/ensemble/farm.hpp"

namespace scree::ensemble {

struct Farm::Impl {};

Farm::Farm() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const char* size = std::getenv(name);
    require(size == nullptr || std::atoi(size) <= 1, "mpirun",
            "has started several processes, but this program was built without MPI; configure it "
            "with -DSCREE_MPI=ON, or use --jobs or --chunk");
  }
}

Farm::~Farm() = default;

bool Farm::run(MemberStore& store, const MemberRuns& runs) { return run_members(store, runs); }

void Farm::serve(const std::function<std::optional<MemberRow>(std::size_t)>&) {}

void Farm::abort(int exit_code) { std::exit(exit_code); }

}  // namespace scree::ensemble
