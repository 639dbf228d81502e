#include "training/fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "kernels/dispatch.hpp"

namespace barpoint {
namespace {

constexpr double kFloor = 1e-8;  // what Adam adds to the root of the mean square: its authors' value
// Bounds of hidden-layer weights, so that int16 holds them well: docs/engine.md, "Training".
constexpr float kMaxFirst = 8, kMaxHidden2 = 4;
// Padding between rows of units, in floats: rows a power of two apart would share cache sets. Results do not depend on it.
constexpr int kApart = 16;

// Weight of half the squared error of the equity, by which plays are chosen. Measured: docs/engine.md, "Training".
constexpr float kEquity = 40;

// By how much the equity of the outputs exceeds the target's at these prices of gammons; in parts of kMaxPoints where games pay by the checker.
float equity_error(const Probabilities& target, const float* share, bool per_checker, const GammonPrices& price) {
    const float won = share[0], lost = 1 - share[0];
    if (per_checker) return won * share[1] - lost * share[2] - (target[1] - target[2]) / kMaxPoints;
    const float sought = 2 * target[0] - 1 + price.own * (target[1] + target[2]) - price.theirs * (target[3] + target[4]);
    return won - lost + price.own * won * share[1] * (1 + share[2]) - price.theirs * lost * share[3] * (1 + share[4]) - sought;
}

// Slopes by each logit of the loss: the cross-entropy, in which an output, conditional on its parent, weighs as its parent
// does, plus what has the slope `miss` by the equity.
void slopes(const Probabilities& target, const float* share, bool per_checker, const GammonPrices& price, float miss, float* out) {
    const float win = target[0], lose = 1 - target[0];
    out[0] = share[0] - win;
    const float won = share[0], lost = 1 - share[0], either = won * lost;
    if (per_checker) {
        out[1] = win * share[1] - target[1] / kMaxPoints;
        out[2] = lose * share[2] - target[2] / kMaxPoints;
        out[0] += miss * either * (share[1] + share[2]);
        out[1] += miss * won * share[1] * (1 - share[1]);
        out[2] -= miss * lost * share[2] * (1 - share[2]);
        return;
    }
    out[1] = win * share[1] - target[1];
    out[2] = target[1] * share[2] - target[2];
    out[3] = lose * share[3] - target[3];
    out[4] = target[3] * share[4] - target[4];
    const float more = price.own * share[1] * (1 + share[2]), less = price.theirs * share[3] * (1 + share[4]);  // points beyond one, won and lost
    out[0] += miss * either * (2 + more + less);
    out[1] += miss * won * more * (1 - share[1]);
    out[2] += miss * price.own * won * share[1] * share[2] * (1 - share[2]);
    out[3] -= miss * lost * less * (1 - share[3]);
    out[4] -= miss * price.theirs * lost * share[3] * share[4] * (1 - share[4]);
}

// Rows `from` wide -> rows `to` wide, or the other way; what is beyond stays 0.
std::vector<float> spaced(const std::vector<float>& weights, int from, int to) {
    const std::size_t rows = weights.size() / static_cast<std::size_t>(from);
    std::vector<float> out(rows * static_cast<std::size_t>(to));
    for (std::size_t r = 0; r < rows; ++r) std::copy_n(weights.data() + r * from, std::min(from, to), out.data() + r * to);
    return out;
}

// Turns inputs into what they are more than others.
void subtract(Inputs& inputs, const Inputs& others) {
    thread_local std::array<float, kMaxInputs> more{};
    thread_local Inputs found;
    for (int k = 0; k < others.count; ++k) more[others.index[k]] = -others.value[k];
    for (int k = 0; k < inputs.count; ++k) more[inputs.index[k]] += inputs.value[k];
    found.count = 0;
    for (const Inputs* seen : {&std::as_const(inputs), &others}) {
        for (int k = 0; k < seen->count; ++k) found.add(seen->index[k], std::exchange(more[seen->index[k]], 0.0f));
    }
    std::copy_n(found.index, found.count, inputs.index);
    std::copy_n(found.value, found.count, inputs.value);
    inputs.count = found.count;
}

}  // namespace

Fitter::Fitter(Net& net, int threads, double sibling_weight, int fixed_layers)
    : net_(net),
      inputs_(net.version().size()),
      hidden_(static_cast<int>(net.shape().hidden)),
      units_(static_cast<int>(net.shape().hidden2)),
      outputs_(net.shape().outputs()),
      stride_(hidden_ + kApart),
      sibling_weight_(static_cast<float>(sibling_weight)),
      first_part_(fixed_layers == 0 ? kFirst : fixed_layers == 1 && units_ ? kHidden2 : kOutput),
      workers_(static_cast<std::size_t>(std::max(threads, 1))),
      team_(workers_.size()) {
    net.dequantize();
    constexpr float kAny = std::numeric_limits<float>::infinity();
    const auto prepare = [&](int part, std::vector<float> weights, float most) {
        const std::vector<float> zeros(weights.size());
        parts_[part] = {std::move(weights), zeros, zeros, most};
        for (Worker& worker : workers_) worker.gradient[part] = zeros;
    };
    std::vector<float> first(net.first.size());
    visit_first([&](std::size_t tiled, std::size_t plain) { first[tiled] = net_.first[plain]; });
    prepare(kFirst, std::move(first), units_ ? kMaxFirst : kAny);
    prepare(kFirstBias, net.first_bias, kAny);
    prepare(kHidden2, spaced(net.hidden2, hidden_, stride_), kMaxHidden2);
    prepare(kHidden2Bias, net.hidden2_bias, kAny);
    prepare(kOutput, units_ ? net.output : spaced(net.output, hidden_, stride_), kAny);
    prepare(kOutputBias, net.output_bias, kAny);
    for (Worker& worker : workers_) {
        worker.outer.resize(kTogether * static_cast<std::size_t>(units_));
    }
}

// The first layer stands in blocks of units, [blocks][inputs][kBlock], so that what many samples ask of a block stays near.
template <class Visit>
void Fitter::visit_first(const Visit& visit) const {
    const auto inputs = static_cast<std::size_t>(inputs_), hidden = static_cast<std::size_t>(hidden_);
    std::size_t tiled = 0;
    for (std::size_t from = 0; from < hidden; from += kBlock) {
        const std::size_t wide = std::min<std::size_t>(kBlock, hidden - from);
        for (std::size_t i = 0; i < inputs; ++i) {
            for (std::size_t u = 0; u < wide; ++u) visit(tiled++, i * hidden + from + u);
        }
    }
}

void Fitter::hand_over() {
    const std::vector<float>& first = parts_[kFirst].weights;
    visit_first([&](std::size_t tiled, std::size_t plain) { net_.first[plain] = first[tiled]; });
    net_.first_bias = parts_[kFirstBias].weights;
    net_.hidden2 = spaced(parts_[kHidden2].weights, stride_, hidden_);
    net_.hidden2_bias = parts_[kHidden2Bias].weights;
    net_.output = units_ ? parts_[kOutput].weights : spaced(parts_[kOutput].weights, stride_, hidden_);
    net_.output_bias = parts_[kOutputBias].weights;
}

// Where the weights of a phase begin.
std::size_t Fitter::offset(int part, std::size_t phase) const {
    return part < kHidden2 ? 0 : phase * (parts_[part].weights.size() / net_.shape().phases);
}

// Gives every sample of the slice its row and cuts the rows into runs. Siblings of one phase stand together.
void Fitter::arrange(Worker& worker, const Sample* samples, const std::uint32_t* order, std::size_t count) const {
    for (std::vector<std::uint32_t>& some : worker.by_phase) some.clear();
    for (std::size_t i = 0; i < count; ++i) {
        worker.by_phase[net_.phase(samples[order[i]].position)].push_back(static_cast<std::uint32_t>(i));
    }
    worker.rows.resize(count);
    worker.chained.resize(count);
    worker.positions.resize(count);
    worker.inputs.resize(count);
    for (auto* rows : {&worker.hidden, &worker.delta}) rows->resize(count * static_cast<std::size_t>(stride_));
    worker.between.resize(count * static_cast<std::size_t>(units_));
    for (auto* rows : {&worker.shares, &worker.slope}) rows->resize(count * static_cast<std::size_t>(outputs_));
    worker.runs.clear();
    std::size_t row = 0;
    for (std::size_t phase = 0; phase < worker.by_phase.size(); ++phase) {
        const std::size_t end = row + worker.by_phase[phase].size();
        for (std::size_t at = row; at < end; at += kTogether) worker.runs.push_back({phase, at, std::min(at + kTogether, end)});
        const Sample* before = nullptr;
        for (const std::uint32_t i : worker.by_phase[phase]) {
            const Sample& sample = samples[order[i]];
            worker.chained[row] = before && siblings(*before, sample);
            worker.positions[row] = sample.position;
            worker.rows[i] = static_cast<std::uint32_t>(row++);
            before = &sample;
        }
    }
}

// The inputs of all rows; of a chained one by how much they differ from those of the row before, which is less than a third of them.
void Fitter::encode(Worker& worker) const {
    for (const Run& run : worker.runs) {
        net_.version().encode(worker.positions.data() + run.begin, run.count(), worker.inputs.data() + run.begin);
    }
    for (std::size_t row = worker.inputs.size(); row-- > 1;) {
        if (worker.chained[row]) subtract(worker.inputs[row], worker.inputs[row - 1]);
    }
}

// The sums of the first layer: a block for all rows, so that its weights stay in the cache. A chained row starts from those of the row before.
void Fitter::forward_first(Worker& worker) const {
    for (int from = 0; from < hidden_; from += kBlock) {
        const float* block = parts_[kFirst].weights.data() + from * inputs_;
        const float* bias = parts_[kFirstBias].weights.data() + from;
        float* hidden = worker.hidden.data() + from;
        for (std::size_t row = 0; row < worker.inputs.size(); ++row, hidden += stride_) {
            const Inputs& seen = worker.inputs[row];
            const float* start = worker.chained[row] ? hidden - stride_ : bias;
            kernel().gather(block, start, std::min(kBlock, hidden_ - from), seen.index, seen.value, seen.count, hidden);
        }
    }
}

// The layers after it.
void Fitter::forward(Worker& worker, const Run& run) const {
    const auto at = [&](int part) { return parts_[part].weights.data() + offset(part, run.phase); };
    const Kernel& k = kernel();
    const int count = run.count();
    float* hidden = worker.hidden.data() + run.begin * static_cast<std::size_t>(stride_);
    float* between = worker.between.data() + run.begin * static_cast<std::size_t>(units_);
    float* shares = worker.shares.data() + run.begin * static_cast<std::size_t>(outputs_);
    for (int c = 0; c < count; ++c) k.int16->activate(hidden + c * stride_, hidden_);
    const float* seen = hidden;
    if (units_) {
        k.products(at(kHidden2), at(kHidden2Bias), units_, stride_, seen, count, between);
        k.sigmoid(between, count * units_);
        seen = between;
    }
    k.products(at(kOutput), at(kOutputBias), outputs_, units_ ? units_ : stride_, seen, count, shares);
    k.sigmoid(shares, count * outputs_);
}

// Slopes of the outputs, scaled by `share`, and the error.
void Fitter::judge(Worker& worker, const Sample* samples, const std::uint32_t* order, std::size_t count, float share) const {
    for (std::size_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && siblings(samples[order[from]], samples[order[to]]);) ++to;
        judge_roll(worker, samples, order + from, worker.rows.data() + from, to - from, share);
    }
}

// The same of siblings, or of one sample.
void Fitter::judge_roll(Worker& worker, const Sample* samples, const std::uint32_t* order, const std::uint32_t* rows,
                        std::size_t count, float share) const {
    const NetShape& shape = net_.shape();
    const auto states = static_cast<std::size_t>(shape.states), columns = static_cast<std::size_t>(shape.outputs_per_state());
    const auto known = [&](std::size_t i, std::size_t tokens) { return !std::isnan(samples[order[i]].target[tokens][0]); };
    for (std::size_t tokens = 0; tokens < states; ++tokens) {
        const GammonPrices price = shape.by_gammons() ? GammonPrices::of(gammon_scale(static_cast<int>(tokens))) : GammonPrices();
        const auto at = [&](std::size_t i) { return rows[i] * states * columns + tokens * columns; };
        const auto error = [&](std::size_t i) {
            return equity_error(samples[order[i]].target[tokens], worker.shares.data() + at(i), shape.per_checker(), price);
        };
        float mean = 0, number = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if (!known(i, tokens)) continue;
            mean += error(i);
            ++number;
        }
        mean /= std::max(number, 1.0f);
        for (std::size_t i = 0; i < count; ++i) {
            float* slope = worker.slope.data() + at(i);
            if (!known(i, tokens)) {
                std::fill_n(slope, columns, 0.0f);
                continue;
            }
            const float miss = error(i);
            slopes(samples[order[i]].target[tokens], worker.shares.data() + at(i), shape.per_checker(), price,
                   kEquity * miss + sibling_weight_ * (miss - mean), slope);
            for (std::size_t k = 0; k < columns; ++k) slope[k] *= share;
        }
    }
    for (std::size_t i = 0; i < count; ++i) {
        double sum = 0;
        int number = 0;
        for (std::size_t tokens = 0; tokens < states; ++tokens) {
            if (!known(i, tokens)) continue;
            const double miss = worker.shares[(rows[i] * states + tokens) * columns] - samples[order[i]].target[tokens][0];
            sum += miss * miss;
            ++number;
        }
        if (number) worker.error += sum / number;
    }
}

// Adds to the gradients of a layer, from slopes by its outputs, slope [count][rows], and what it sees, in [count][width].
void Fitter::add_gradient(Worker& worker, int part, std::size_t phase, const float* slope, int rows, const float* in, int width, int count) const {
    kernel().multiply(slope, 1, rows, in, rows, count, width, worker.gradient[part].data() + offset(part, phase));
    float* bias = worker.gradient[part + 1].data() + offset(part + 1, phase);
    for (int c = 0; c < count; ++c) {
        for (int r = 0; r < rows; ++r) bias[r] += slope[c * rows + r];
    }
}

// Backpropagates through a layer as well: slopes by its inputs, out [count][width].
void Fitter::back(Worker& worker, int part, std::size_t phase, const float* slope, int rows, const float* in, int width,
                  int count, float* out) const {
    const Kernel& k = kernel();
    add_gradient(worker, part, phase, slope, rows, in, width, count);
    std::fill_n(out, count * width, 0.0f);
    k.multiply(slope, rows, 1, parts_[part].weights.data() + offset(part, phase), count, rows, width, out);
    if (part == (units_ ? kHidden2 : kOutput)) return k.activation_slopes(out, in, count * width);
    for (int i = 0; i < count * width; ++i) out[i] *= in[i] * (1 - in[i]);
}

void Fitter::backward(Worker& worker, const Run& run) const {
    const Kernel& k = kernel();
    const int count = run.count();
    const float* slope = worker.slope.data() + run.begin * static_cast<std::size_t>(outputs_);
    const float* hidden = worker.hidden.data() + run.begin * static_cast<std::size_t>(stride_);
    float* delta = worker.delta.data() + run.begin * static_cast<std::size_t>(stride_);
    if (first_part_ == kOutput) {
        const float* seen = units_ ? worker.between.data() + run.begin * static_cast<std::size_t>(units_) : hidden;
        return add_gradient(worker, kOutput, run.phase, slope, outputs_, seen, units_ ? units_ : stride_, count);
    }
    if (units_) {
        const float* between = worker.between.data() + run.begin * static_cast<std::size_t>(units_);
        back(worker, kOutput, run.phase, slope, outputs_, between, units_, count, worker.outer.data());
        if (first_part_ == kHidden2) return add_gradient(worker, kHidden2, run.phase, worker.outer.data(), units_, hidden, stride_, count);
        back(worker, kHidden2, run.phase, worker.outer.data(), units_, hidden, stride_, count, delta);
    } else {
        back(worker, kOutput, run.phase, slope, outputs_, hidden, stride_, count, delta);
    }
}

// Gradients of the first layer, from slopes by its sums, again a block for all rows. What a row has in common with the chained ones after it
// takes the slopes of all of them.
void Fitter::backward_first(Worker& worker) const {
    float* bias = worker.gradient[kFirstBias].data();
    for (int from = 0; from < hidden_; from += kBlock) {
        const int wide = std::min(kBlock, hidden_ - from);
        float* block = worker.gradient[kFirst].data() + from * inputs_;
        for (std::size_t row = worker.inputs.size(); row-- > 0;) {
            float* delta = worker.delta.data() + row * static_cast<std::size_t>(stride_) + from;
            const Inputs& seen = worker.inputs[row];
            kernel().spread(block, wide, seen.index, seen.value, seen.count, delta);
            float* before = worker.chained[row] ? delta - stride_ : bias + from;
            for (int u = 0; u < wide; ++u) before[u] += delta[u];
        }
    }
}

void Fitter::learn_slice(Worker& worker, const Sample* samples, const std::uint32_t* order, std::size_t count, float share) const {
    arrange(worker, samples, order, count);
    encode(worker);
    forward_first(worker);
    for (const Run& run : worker.runs) forward(worker, run);
    judge(worker, samples, order, count, share);
    for (const Run& run : worker.runs) backward(worker, run);
    if (first_part_ == kFirst) backward_first(worker);
}

// Updates one worker's share of all weights, from the sum of all workers' gradients.
void Fitter::apply(std::size_t number, float rate) {
    for (int p = first_part_; p < kParts; ++p) {
        Part& part = parts_[p];
        const std::size_t size = part.weights.size();
        const std::size_t from = size * number / workers_.size(), to = size * (number + 1) / workers_.size();
        float* gradient = workers_[0].gradient[p].data();
        for (std::size_t w = 1; w < workers_.size(); ++w) {
            float* more = workers_[w].gradient[p].data();
            for (std::size_t i = from; i < to; ++i) gradient[i] += more[i];
            std::fill(more + from, more + to, 0.0f);
        }
        kernel().adam(part.weights.data() + from, part.mean.data() + from, part.square.data() + from, gradient + from,
                      static_cast<int>(to - from), rate, static_cast<float>(kFloor), part.most);
    }
}

double Fitter::step(const Sample* samples, const std::uint32_t* order, std::size_t count, float rate) {
    ++steps_;
    const double corrected = rate * std::sqrt(1 - std::pow(0.999, steps_)) / (1 - std::pow(0.9, steps_));
    team_.share_out([&](std::size_t number) {
        Worker& worker = workers_[number];
        worker.error = 0;
        const auto cut = [&](std::size_t at) {  // not between siblings
            while (at > 0 && at < count && siblings(samples[order[at - 1]], samples[order[at]])) ++at;
            return at;
        };
        const std::size_t from = cut(count * number / workers_.size()), to = cut(count * (number + 1) / workers_.size());
        learn_slice(worker, samples, order + from, to - from, 1.0f / static_cast<float>(count));
    });
    team_.share_out([&](std::size_t number) { apply(number, static_cast<float>(corrected)); });
    double error = 0;
    for (const Worker& worker : workers_) error += worker.error;
    return error;
}

}  // namespace barpoint
