// Nets: made, read, written, reshaped.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "kernels/dispatch.hpp"
#include "nets/net.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace barpoint {
namespace {

Net arranged(const Net& self, nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> order) {
    std::vector<std::size_t> units;
    for (std::size_t i = 0; i < order.shape(0); ++i) units.push_back(static_cast<std::size_t>(order.data()[i]));
    return self.arranged(units);
}

nb::object activations(const Net& self, Bytes2 positions) {
    if (self.quantized().empty()) throw std::invalid_argument("only a quantized net has int16 activations");
    const std::vector<Position> all = read_positions(positions);
    const std::size_t hidden = self.shape().hidden;
    std::unique_ptr<std::int16_t[]> out(new std::int16_t[all.size() * hidden]);
    self.activations(all.data(), all.size(), out.get());
    return own_array(std::move(out), {all.size(), hidden});
}

// What the first layer sees of each position, in steps of 1 / kSteps: [positions][inputs].
nb::object inputs_of(const Net& self, Bytes2 positions) {
    const std::vector<Position> all = read_positions(positions);
    const auto size = static_cast<std::size_t>(self.version().size());
    std::unique_ptr<std::int16_t[]> out(new std::int16_t[all.size() * size]());
    {
        nb::gil_scoped_release release;
        std::vector<Inputs> some(InputBatch::kMax);
        for (std::size_t at = 0; at < all.size(); at += some.size()) {
            const int count = static_cast<int>(std::min(some.size(), all.size() - at));
            self.version().encode(all.data() + at, count, some.data());
            for (int c = 0; c < count; ++c) {
                std::int16_t* row = out.get() + (at + static_cast<std::size_t>(c)) * size;
                for (int k = 0; k < some[c].count; ++k) row[some[c].index[k]] = static_cast<std::int16_t>(some[c].value[k] * kSteps);
            }
        }
    }
    return own_array(std::move(out), {all.size(), size});
}

nb::object phases_of(const Net& self, Bytes2 positions) {
    const std::vector<Position> all = read_positions(positions);
    std::unique_ptr<std::uint8_t[]> out(new std::uint8_t[all.size()]);
    std::transform(all.begin(), all.end(), out.get(), [&](const Position& each) { return self.phase(each); });
    return own_array(std::move(out), {all.size()});
}

// All weights, layer by layer, each layer before its biases.
nb::list weights(const Net& self) {
    nb::list out;
    for (const std::vector<float>* part : Net::parts(self)) {
        std::unique_ptr<float[]> copy(new float[part->size()]);
        std::copy(part->begin(), part->end(), copy.get());
        out.append(own_array(std::move(copy), {part->size()}));
    }
    return out;
}

Net with_weights(const Net& self, const std::vector<Floats1>& weights) {
    Net out(self);
    out.dequantize();
    const auto layers = Net::parts(out);
    if (weights.size() != layers.size()) throw std::invalid_argument("weights of another number of layers");
    for (std::size_t i = 0; i < layers.size(); ++i) {
        if (!weights[i].is_valid() || weights[i].shape(0) != layers[i]->size()) throw std::invalid_argument("a layer of another size");
        std::copy_n(weights[i].data(), layers[i]->size(), layers[i]->begin());
    }
    return out;
}

}  // namespace

void bind_nets(nb::module_& module) {
    module.attr("PLAIN_INPUTS") = kPlainInputs;
    module.def("inputs_for", [](const Rules& rules) { return inputs_for(rules); }, "rules"_a);
    module.def("isa", [] { return std::string(kernel().isa); });
    nb::class_<Net>(module, "Net")
        .def(
            "__init__",
            [](Net* self, int inputs, int hidden, int hidden2, int states, int phases, bool per_checker, std::uint64_t seed) {
                const auto size = [](int value) { return static_cast<std::uint32_t>(std::max(value, 0)); };
                const Outputs kind = per_checker ? Outputs::checkers : Outputs::levels;
                new (self) Net({size(inputs), size(hidden), size(states), kind, size(hidden2), size(phases)}, seed);
            },
            nb::kw_only(), "inputs"_a = kHitInputs, "hidden"_a = 128, "hidden2"_a = 0, "states"_a = 1,
            "phases"_a = 1, "per_checker"_a = false, "seed"_a = 1)
        .def_static("parse", [](nb::bytes bytes) { return Net::parse({bytes.c_str(), bytes.size()}); }, "data"_a)
        .def("bytes", [](const Net& self) {
            const std::string bytes = self.bytes();
            return nb::bytes(bytes.data(), bytes.size());
        })
        .def("widened", [](const Net& self) { return self.widened(self.shape().kind); })
        .def("for_money", &Net::for_money)
        .def("by_gammon_state", [](const Net& self) { return self.widened(Outputs::gammon_states); })
        .def("divided", &Net::divided)
        .def("paired", &Net::paired)
        .def("arranged", &arranged, "order"_a.noconvert())
        .def("towards", &Net::towards, "other"_a, "share"_a)
        .def("activations", &activations, "positions"_a.noconvert())
        .def("inputs_of", &inputs_of, "positions"_a.noconvert())
        .def("phases_of", &phases_of, "positions"_a.noconvert())
        .def("weights", &weights)
        .def("with_weights", &with_weights, "weights"_a)
        .def("dequantized", [](const Net& self) {
            Net net(self);
            net.dequantize();
            return net;
        })
        .def_prop_ro("inputs", [](const Net& self) { return self.shape().inputs; })
        .def_prop_ro("flags", [](const Net& self) { return self.version().size() - self.version().flags_from(); })
        .def_prop_ro("hidden", [](const Net& self) { return self.shape().hidden; })
        .def_prop_ro("hidden2", [](const Net& self) { return self.shape().hidden2; })
        .def_prop_ro("states", [](const Net& self) { return self.shape().states; })
        .def_prop_ro("by_gammons", [](const Net& self) { return self.shape().by_gammons(); })
        .def_prop_ro("phases", [](const Net& self) { return self.shape().phases; })
        .def_prop_ro("per_checker", [](const Net& self) { return self.shape().per_checker(); });
}

}  // namespace barpoint
