// SPDX-License-Identifier: Apache-2.0
// Code of many shapes for the comparison of names: templates, deep inlining, lambdas, namespaces,
// classes in functions, virtual calls, exceptions. It is compiled, not run. With ZOO_LARGE it has
// the library's regular expressions too: four times the code, and twice the time to compile it.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#ifdef ZOO_LARGE
#include <regex>
#endif
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

extern "C" int zoo_c_entry(int n);
extern "C" double zoo_c_twin(const double *v, unsigned n);

namespace zoo
{
struct Shape {
	virtual ~Shape() = default;
	virtual double area() const = 0;
	std::string name;
};

struct Square : Shape {
	explicit Square(double s) : side(s) { name = "square"; }
	double area() const override { return side * side; }
	double side;
};

struct Circle : Shape {
	explicit Circle(double r) : radius(r) { name = "circle"; }
	double area() const override { return 3.14159 * radius * radius; }
	double radius;
};

namespace
{
template <typename T, int N> struct Fold {
	static T of(const std::vector<T> &v, T start)
	{
		for (const T &x : v)
			start += x * T(N);
		return Fold<T, N - 1>::of(v, start);
	}
};
template <typename T> struct Fold<T, 0> {
	static T of(const std::vector<T> &, T start) { return start; }
};

int hidden(int n)
{
	struct Local {
		static int twice(int x) { return x * 2 + std::abs(x); }
	};
	return n > 3 ? hidden(n - 1) + Local::twice(n) : Local::twice(n);
}
} // namespace

inline namespace v1
{
template <class K, class V> class Table
{
      public:
	V &at(const K &key)
	{
		auto it = rows.find(key);
		if (it == rows.end())
			throw std::out_of_range("no such row");
		return it->second;
	}
	void put(K key, V value) { rows.emplace(std::move(key), std::move(value)); }
	template <class F> void each(F &&f) const
	{
		for (const auto &[k, v] : rows)
			f(k, v);
	}

      private:
	std::map<K, V> rows;
};
} // namespace v1

std::vector<std::string> split(const std::string &text)
{
	std::vector<std::string> out;
#ifdef ZOO_LARGE
	static const std::regex word("[a-z]+(-[a-z]+)*");
	for (std::sregex_iterator it(text.begin(), text.end(), word), end; it != end; ++it)
		out.push_back(it->str());
#else
	for (size_t at = 0, end; at < text.size(); at = end + 1) {
		end = std::min(text.find(' ', at), text.size());
		out.push_back(text.substr(at, end - at));
	}
#endif
	return out;
}

size_t words(const std::string &text)
{
	std::unordered_map<std::string, size_t> count;
	std::set<std::string> seen;
	for (const auto &word : split(text)) {
		count[word]++;
		seen.insert(word);
	}
	return std::accumulate(count.begin(), count.end(), seen.size(),
		[](size_t a, const auto &kv) { return a + kv.second; });
}

double shapes(int n)
{
	std::vector<std::unique_ptr<Shape>> all;
	Table<std::string, std::vector<double>> table;
	for (int i = 0; i < n; i++) {
		if (i % 2)
			all.push_back(std::make_unique<Square>(i));
		else
			all.push_back(std::make_unique<Circle>(i));
	}
	std::sort(all.begin(), all.end(), [](const auto &a, const auto &b) {
		return std::tie(a->name) < std::tie(b->name) || a->area() < b->area();
	});
	table.put("areas", {});
	for (const auto &s : all)
		table.at("areas").push_back(s->area());
	double sum = 0;
	table.each([&](const std::string &, const std::vector<double> &v) {
		sum += Fold<double, 6>::of(v, 0.0);
	});
	return sum;
}

using Value = std::variant<int, double, std::string, std::vector<int>>;

std::string show(const Value &v)
{
	return std::visit(
		[](const auto &x) -> std::string {
			using T = std::decay_t<decltype(x)>;
			if constexpr (std::is_same_v<T, std::string>)
				return x;
			else if constexpr (std::is_same_v<T, std::vector<int>>)
				return std::to_string(x.size());
			else
				return std::to_string(x);
		},
		v);
}

long threads(int n)
{
	std::vector<std::thread> crew;
	std::vector<long> sums(static_cast<size_t>(n));
	std::function<long(long)> step = [](long x) { return x * 3 + 1; };
	for (int t = 0; t < n; t++)
		crew.emplace_back([&, t] {
			for (long i = 0; i < 1000; i++)
				sums[static_cast<size_t>(t)] += step(i);
		});
	for (auto &t : crew)
		t.join();
	return std::reduce(sums.begin(), sums.end());
}
} // namespace zoo

int main(int argc, char **argv)
{
	std::string text;
	for (int i = 0; i < argc; i++)
		text += argv[i];
	try {
		double d[3] = {1, 2, 3};
		std::printf("%zu %g %d %s %ld %g\n", zoo::words(text), zoo::shapes(argc),
			zoo::hidden(argc) + zoo_c_entry(argc), zoo::show(zoo::Value(argc)).c_str(),
			zoo::threads(argc), zoo_c_twin(d, 3));
	} catch (const std::exception &e) {
		std::puts(e.what());
	}
}
