package io.pmstore.cli.transfer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Reads small parts of a document as maps, lists, strings, longs, booleans and nulls. */
final class Tree {
  private Tree() {}

  /** Reads the value that starts at the parser's current token. */
  static @Nullable Object read(JsonParser in) {
    return switch (in.currentToken()) {
      case START_OBJECT -> {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (String name = in.nextName(); name != null; name = in.nextName()) {
          JsonToken _ = in.nextToken();
          if (map.containsKey(name)) {
            throw new ImportException("the catalogue has an entry with two values of " + name);
          }
          map.put(name, read(in));
        }
        yield map;
      }
      case START_ARRAY -> {
        List<@Nullable Object> list = new ArrayList<>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
          list.add(read(in));
        }
        yield list;
      }
      case VALUE_STRING -> in.getString();
      case VALUE_NUMBER_INT -> in.getLongValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      case null, default -> throw new ImportException("found " + in.currentToken());
    };
  }
}
