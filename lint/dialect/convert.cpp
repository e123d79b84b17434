#include "lint/dialect/convert.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace oomlint {

namespace {

std::optional<double> number_in(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return result;
}

bool is_empty(const Document& document, NodeId node) {
  const Node& at = document.at(node);
  switch (at.kind) {
    case NodeKind::null:
      return true;
    case NodeKind::unknown:
      return false;
    case NodeKind::scalar:
      return at.text.empty();
    default:
      return at.first_child == no_node;
  }
}

bool coerces_text(const ReadContext& context) {
  return context.dialect.coerces_text || context.document.syntax() == Syntax::shell;
}

bool leaves_it_open(const ScalarValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr && *text == "auto";
}

std::optional<Scalar> nothing_written(const KeySpec& key) {
  if (key.null_means == NullMeans::absent) return std::nullopt;
  if (key.null_means == NullMeans::unknown) return Scalar();
  const FieldInfo& field = info(key.field);
  if (field.type == FieldType::flag) return Scalar(false);
  const Scalar none = field_value(key.field, "none");
  return is_known(none) ? std::optional(none) : std::nullopt;
}

template <class T>
Scalar or_unknown(const std::optional<T>& value) {
  Scalar result;
  if (value) result = *value;
  return result;
}

std::optional<Scalar> by_type(const ReadContext& context, const KeySpec& key, NodeId node) {
  const Document& document = context.document;
  const FieldType type = info(key.field).type;
  if (type == FieldType::list) {
    if (document.at(node).kind == NodeKind::scalar) return field_value(key.field, document.at(node).text);
    return Scalar(items(document, node));
  }
  if (document.at(node).kind != NodeKind::scalar) return Scalar();
  const ScalarValue value = typed(context, node);
  switch (type) {
    case FieldType::flag: {
      const auto flag = as_flag(context, value);
      if (!flag && leaves_it_open(value)) return nothing_written(key);
      return or_unknown(flag);
    }
    case FieldType::count: {
      const auto count = as_count(context, value);
      if (!count && leaves_it_open(value)) return nothing_written(key);
      if (count && *count < 0) return std::nullopt;  // -1 is how frameworks write "not set"
      return or_unknown(count);
    }
    case FieldType::number: {
      const auto number = as_number(context, value);
      if (!number && leaves_it_open(value)) return nothing_written(key);
      return or_unknown(number);
    }
    case FieldType::word:
      return field_value(key.field, document.at(node).text);
    default: {
      const auto* off = std::get_if<bool>(&value);
      if (off != nullptr && !*off) return nothing_written(key);
      return Scalar(std::string(document.at(node).text));
    }
  }
}

std::optional<Scalar> by_words(const ReadContext& context, const KeySpec& key, NodeId node) {
  if (context.document.at(node).kind != NodeKind::scalar) return Scalar();
  const ScalarValue value = typed(context, node);
  const auto* flag = std::get_if<bool>(&value);
  const std::string_view said =
      flag == nullptr ? context.document.at(node).text : std::string_view(*flag ? "true" : "false");
  const auto pair =
      std::find_if(key.words.begin(), key.words.end(), [&](const WordPair& w) { return w.theirs == said; });
  if (pair == key.words.end()) {
    return info(key.field).type == FieldType::text ? Scalar(std::string(said)) : Scalar();
  }
  if (pair->ours.empty()) return std::nullopt;
  return field_value(key.field, pair->ours);
}

Scalar as_it_looks(std::string_view text) {
  if (text == "true" || text == "false") return text == "true";
  const auto number = number_in(text);
  if (!number) return std::string(text);
  if (std::floor(*number) == *number && std::abs(*number) < 1e15) return static_cast<std::int64_t>(*number);
  return *number;
}

}  // namespace

ScalarSchema schema_of(const ReadContext& context) {
  return context.document.syntax() == Syntax::shell ? ScalarSchema::command_line : context.dialect.scalars;
}

ScalarValue typed(const ReadContext& context, NodeId node) {
  node = context.follow(node);
  if (node == no_node || context.document.at(node).kind != NodeKind::scalar) return Null{};
  return scalar_value(context.document.at(node), schema_of(context));
}

std::optional<bool> as_flag(const ReadContext& context, const ScalarValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (!coerces_text(context)) return std::nullopt;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    return *whole == 0 || *whole == 1 ? std::optional(*whole == 1) : std::nullopt;
  }
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return std::nullopt;
  const std::string word = lower(*text);
  for (const std::string_view yes : {"true", "yes", "on", "y", "t", "1"}) {
    if (word == yes) return true;
  }
  for (const std::string_view no : {"false", "no", "off", "n", "f", "0"}) {
    if (word == no) return false;
  }
  return std::nullopt;
}

std::optional<double> as_number(const ReadContext& context, const ScalarValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) {
    return std::isfinite(*real) ? std::optional(*real) : std::nullopt;
  }
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr && coerces_text(context) ? number_in(*text) : std::nullopt;
}

std::optional<std::int64_t> as_count(const ReadContext& context, const ScalarValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
  const auto number = as_number(context, value);
  if (!number || std::floor(*number) != *number || std::abs(*number) > 9e15) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

std::vector<std::string> items(const Document& document, NodeId node) {
  std::vector<std::string> texts;
  node = document.resolve(node);
  if (node == no_node) return texts;
  if (document.at(node).kind == NodeKind::scalar) texts.emplace_back(document.at(node).text);
  if (document.at(node).kind != NodeKind::sequence) return texts;
  for (NodeId id = document.at(node).first_child; id != no_node; id = document.at(id).next) {
    const NodeId item = document.resolve(id);
    if (item != no_node && document.at(item).kind == NodeKind::scalar)
      texts.emplace_back(document.at(item).text);
  }
  return texts;
}

std::optional<Scalar> read_value(const ReadContext& context, const KeySpec& key, NodeId node) {
  node = context.follow(node);
  if (node == no_node) return std::nullopt;
  if (context.document.at(node).kind == NodeKind::unknown) return Scalar();
  if (key.convert == Convert::custom) return key.read != nullptr ? key.read(context, node) : std::nullopt;
  if (is_empty(context.document, node)) return nothing_written(key);
  switch (key.convert) {
    case Convert::words:
      return by_words(context, key, node);
    case Convert::true_means: {
      const auto flag = as_flag(context, typed(context, node));
      if (!flag) return Scalar();
      if (*flag) return field_value(key.field, key.words[0].ours);
      return key.words.size() > 1 ? std::optional(field_value(key.field, key.words[1].ours)) : std::nullopt;
    }
    case Convert::presence: {
      const auto flag = as_flag(context, typed(context, node));
      return flag && !*flag ? std::nullopt : std::optional(field_value(key.field, key.words[0].ours));
    }
    default:
      return by_type(context, key, node);
  }
}

std::optional<Scalar> write_value(const KeySpec& key, const Scalar& value) {
  const std::string ours = to_string(value);
  switch (key.convert) {
    case Convert::as_is:
      return value;
    case Convert::words: {
      const auto pair =
          std::find_if(key.words.begin(), key.words.end(), [&](const WordPair& w) { return w.ours == ours; });
      if (pair != key.words.end()) return as_it_looks(pair->theirs);
      const bool open = info(key.field).type == FieldType::text &&
                        std::none_of(key.words.begin(), key.words.end(),
                                     [&](const WordPair& w) { return w.theirs == ours; });
      return open ? std::optional(value) : std::nullopt;
    }
    case Convert::true_means:
      if (ours == key.words[0].ours) return Scalar(true);
      if (key.words.size() > 1 && ours == key.words[1].ours) return Scalar(false);
      return std::nullopt;
    case Convert::custom: {
      const auto text = key.write != nullptr ? key.write(value) : std::nullopt;
      return text ? std::optional(as_it_looks(*text)) : std::nullopt;
    }
    case Convert::presence:
      return std::nullopt;
  }
  return std::nullopt;
}

Scalar field_value(Field field, std::string_view text) {
  std::string why;
  return text == "?" ? Scalar() : or_unknown(parse_value(field, text, why));
}

}  // namespace oomlint
