package io.pmstore.cli.json;

import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultPrettyPrinter;

/** Writes JSON. */
public final class Json {
  private static final int DEPTH_MAX = 2000;

  // UTF-8 has no form for half of a surrogate pair, which a string of a program may have.
  private static final int PLAIN_MAX = Character.MIN_SURROGATE - 1;

  /** Accepts strings and documents of any length: what a store holds. */
  public static final JsonFactory FACTORY =
      JsonFactory.builder()
          .highestNonEscapedChar(PLAIN_MAX)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxNestingDepth(DEPTH_MAX)
                  .build())
          .streamWriteConstraints(
              StreamWriteConstraints.builder().maxNestingDepth(DEPTH_MAX).build())
          .build();

  private Json() {}

  /**
   * Makes an object of a document, with its properties in this order.
   *
   * @param properties a name, its value, the next name, and so on; null is a value too
   */
  public static Map<String, @Nullable Object> object(@Nullable Object... properties) {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    for (int i = 0; i < properties.length; i += 2) {
      if (i + 1 == properties.length || !(properties[i] instanceof String name)) {
        throw new IllegalArgumentException(
            "argument %d of %s is no name with a value; give a string, and then its value"
                .formatted(i, Arrays.toString(properties)));
      }
      object.put(name, properties[i + 1]);
    }
    return object;
  }

  private static final class Pretty extends ObjectWriteContext.Base {
    @Override
    public boolean hasPrettyPrinter() {
      return true;
    }

    @Override
    public PrettyPrinter getPrettyPrinter() {
      return new DefaultPrettyPrinter();
    }

    @Override
    public int getStreamWriteFeatures(int defaults) {
      return defaults & ~StreamWriteFeature.AUTO_CLOSE_TARGET.getMask();
    }
  }

  private static final class Compact extends ObjectWriteContext.Base {
    @Override
    public int getStreamWriteFeatures(int defaults) {
      return defaults & ~StreamWriteFeature.AUTO_CLOSE_TARGET.getMask();
    }
  }

  /** Makes a generator that leaves its target open. */
  public static JsonGenerator generator(Writer out, boolean pretty) {
    return FACTORY.createGenerator(pretty ? new Pretty() : new Compact(), out);
  }

  /**
   * Prints a document.
   *
   * @param value a map, an iterable, a number, a boolean, null, or an object whose text is a string
   */
  public static void print(PrintWriter out, Object value) {
    try (JsonGenerator generator = generator(out, true)) {
      write(generator, value);
    }
    out.println();
  }

  /** Prints a document on one line. */
  public static void printLine(PrintWriter out, Object value) {
    try (JsonGenerator generator = generator(out, false)) {
      write(generator, value);
    }
    out.println();
  }

  public static void write(JsonGenerator out, @Nullable Object value) {
    switch (value) {
      case null -> out.writeNull();
      case Boolean flag -> out.writeBoolean(flag);
      case Integer number -> out.writeNumber(number);
      case Long number -> out.writeNumber(number);
      case Double number -> out.writeNumber(number);
      case Map<?, ?> map -> {
        out.writeStartObject();
        map.forEach(
            (name, part) -> {
              out.writeName(String.valueOf(name));
              write(out, part);
            });
        out.writeEndObject();
      }
      case Path path -> out.writeString(path.toString());
      case Iterable<?> parts -> {
        out.writeStartArray();
        parts.forEach(part -> write(out, part));
        out.writeEndArray();
      }
      case ValueWriter.Part part -> part.write(out);
      default -> out.writeString(value.toString());
    }
  }
}
