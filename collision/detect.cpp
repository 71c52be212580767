#include "collision/detect.hpp"

#include <algorithm>
#include <utility>

#include "collision/broad/broad_phase.hpp"
#include "collision/covered_contacts.hpp"
#include "collision/joined_faces.hpp"
#include "collision/pairs/narrow_phase.hpp"
#include "collision/pairs/swept_touch.hpp"
#include "collision/placed_model.hpp"

namespace scree::collision {
namespace {

// Pairs are dealt out in fixed blocks and the answers put together in order: the same bits for any
// executor. Blocks take turns in the same few places, so that answers wait in little memory before
// they are put together.
constexpr std::size_t pairs_per_block = 32, blocks_at_once = 32;
constexpr std::size_t contacts_reserved = 16 * pairs_per_block;
constexpr std::size_t pairs_reserved = 8;  // a part

struct Block {
  PairWork work;
  ContactSet contacts;

  explicit Block(const LargestShape& largest) {
    work.reserve(largest);
    contacts.reserve(contacts_reserved);
  }
};

template <class T>
void put(std::vector<T>& to, std::size_t at, const std::vector<T>& from) {
  std::copy(from.begin(), from.end(), to.begin() + static_cast<std::ptrdiff_t>(at));
}

}  // namespace

struct Detector::Impl {
  PlacedModel placed;
  BroadPhase broad_phase;
  std::vector<BoxPair> pairs, last_pairs;
  std::vector<CullingHint> hints, last_hints;  // [n_pairs]
  std::vector<Block> blocks;
  std::vector<std::size_t> block_begin;  // first contact of each block
  JoinedFaces joined;
  CoveredContacts covered;
  bool flush_seams = false;
  double sweep_share = default_sweep_share;

  // Another model: nothing of the last call applies.
  void forget() {
    pairs.clear(), last_pairs.clear(), last_hints.clear(), blocks.clear();
    broad_phase = BroadPhase();
    joined = JoinedFaces();
    reserve_pairs(pairs_reserved * static_cast<std::size_t>(placed.n_parts()));
  }

  void reserve_pairs(std::size_t n) {
    pairs.reserve(n), last_pairs.reserve(n), hints.reserve(n), last_hints.reserve(n);
  }

  // Memory grows in large steps, so that a warm detection finds room for the few pairs that come
  // and go.
  void prepare_blocks() {
    if (hints.capacity() < pairs.size()) reserve_pairs(2 * pairs.size());
    while (blocks.size() < std::min(n_blocks(), blocks_at_once))
      blocks.emplace_back(placed.largest_shape());
  }

  std::size_t n_blocks() const { return (pairs.size() + pairs_per_block - 1) / pairs_per_block; }

  // What is known of pairs that were there in the last call; both lists are sorted alike.
  void carry_hints() {
    hints.assign(pairs.size(), CullingHint{});
    std::size_t last = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      while (last < last_pairs.size() && placed.comes_before(last_pairs[last], pairs[i])) ++last;
      if (last < last_pairs.size() && last_pairs[last] == pairs[i]) hints[i] = last_hints[last];
    }
  }

  void run_pair(const Poses& ahead, const Poses* start, std::size_t i, Block& block) {
    const PairQuery query = placed.query(pairs[i]);
    const Ahead poses = placed.ahead(pairs[i], ahead);
    narrow_phase(query, poses, hints[i], block.work);
    if (start == nullptr) {
      if (is_fast(query, poses, sweep_share)) swept_contacts(query, poses, block.work);
    } else {
      sweep_from(query, placed.ahead(pairs[i], *start), poses, sweep_share, block.work);
    }
    for (const PairContact& contact : block.work.contacts)
      append_contact(placed.key_of(pairs[i], contact), query.a.x, contact, block.contacts);
  }

  // Contacts of all pairs, in order.
  void find_contacts(const Poses& ahead, const Poses* start, const Executor& executor,
                     ContactSet& contacts) {
    contacts.clear();
    for (std::size_t first = 0; first < n_blocks(); first += blocks_at_once) {
      const std::size_t n = std::min(n_blocks() - first, blocks_at_once);
      executor.for_each_block(static_cast<int>(n), [&](int index) {
        const auto i = static_cast<std::size_t>(index);
        run_block(ahead, start, first + i, blocks[i]);
      });
      gather(n, executor, contacts);
    }
  }

  void run_block(const Poses& ahead, const Poses* start, std::size_t index, Block& block) {
    block.contacts.clear();
    const std::size_t begin = index * pairs_per_block,
                      end = std::min(pairs.size(), begin + pairs_per_block);
    for (std::size_t i = begin; i < end; ++i) run_pair(ahead, start, i, block);
  }

  // Points of images, found where they touch, are told where their bodies are.
  void bring_home(ContactSet& contacts) const {
    if (!placed.cell().is_periodic()) return;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      if (const ImageCode image = contacts.key[c].image; image != 0)
        contacts.point_b[c] -= placed.offset(image);
    }
  }

  // Appends the answers of the first n blocks.
  void gather(std::size_t n, const Executor& executor, ContactSet& contacts) {
    block_begin.assign(1, contacts.size());
    for (std::size_t i = 0; i < n; ++i)
      block_begin.push_back(block_begin.back() + blocks[i].contacts.size());
    contacts.resize(block_begin.back());
    executor.for_each_block(static_cast<int>(n), [&](int index) {
      const auto i = static_cast<std::size_t>(index);
      const ContactSet& from = blocks[i].contacts;
      const std::size_t at = block_begin[i];
      put(contacts.key, at, from.key), put(contacts.gap, at, from.gap),
          put(contacts.normal, at, from.normal);
      put(contacts.point_a, at, from.point_a), put(contacts.point_b, at, from.point_b),
          put(contacts.touch, at, from.touch);
    });
  }
};

Detector::Detector() : impl_(std::make_unique<Impl>()) {}
Detector::~Detector() = default;
Detector::Detector(Detector&&) noexcept = default;
Detector& Detector::operator=(Detector&&) noexcept = default;

void Detector::detect(const Model& model, const Poses& now, const Poses& ahead, const Poses& start,
                      std::span<const std::uint8_t> active, std::span<const double> reach,
                      const Executor& executor, ContactSet& contacts) {
  Impl& impl = *impl_;
  std::swap(impl.pairs, impl.last_pairs);
  std::swap(impl.hints, impl.last_hints);
  if (impl.placed.update(model, now, active, reach, executor)) impl.forget();
  impl.placed.find_pairs(impl.broad_phase, executor, impl.pairs);
  impl.prepare_blocks();
  impl.carry_hints();
  const Poses* from = start.x.data() == now.x.data() ? nullptr : &start;
  impl.find_contacts(ahead, from, executor, contacts);
  impl.joined.join(impl.placed, impl.pairs, ahead, from, contacts);
  impl.covered.remove(impl.placed, impl.pairs, impl.flush_seams, contacts);
  impl.bring_home(contacts);
}

void Detector::sweep_beyond(double share) { impl_->sweep_share = share; }

void Detector::keep_flush_seams(bool keep) { impl_->flush_seams = keep; }

}  // namespace scree::collision
