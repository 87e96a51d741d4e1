package io.pmstore.corpus;

import io.pmstore.PmStoreOptions;
import io.pmstore.ValueCodec;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Value types of other libraries: what a program that uses these registers with its store, and a
 * value of each. Each has a text that makes it again.
 */
public final class LibraryValues {
  /** How a text becomes a value: by a method of a class, a static one or not, or by "new". */
  private record Maker(String owner, String method, String sample) {}

  /** Instead of a maker's method: the text is Base64, as of a message of Protocol Buffers. */
  private static final String BYTES = "parseFrom";

  private static final Map<String, Maker> BY_TYPE = new LinkedHashMap<>();

  static {
    String joda = "org.joda.time.";
    add(joda + "DateTime", "parse", "2020-02-03T04:05:06.007Z");
    add(joda + "LocalDate", "parse", "2020-02-03");
    add(joda + "LocalTime", "parse", "04:05:06.007");
    add(joda + "LocalDateTime", "parse", "2020-02-03T04:05:06.007");
    add(joda + "Instant", "parse", "2020-02-03T04:05:06.007Z");
    add(joda + "DateTimeZone", "forID", "Europe/Berlin");
    add(joda + "Duration", "parse", "PT72.345S");
    add(joda + "Period", "parse", "P1Y2M3DT4H");
    add(joda + "YearMonth", "parse", "2020-02");
    add("org.joda.money.Money", "parse", "EUR 12.34");
    add("org.joda.money.CurrencyUnit", "of", "EUR");
    String jackson = "com.fasterxml.jackson.databind.";
    add(jackson + "node.ObjectNode", jackson + "ObjectMapper", "readTree", "{\"a\":[1,null]}");
    add(jackson + "node.ArrayNode", jackson + "ObjectMapper", "readTree", "[1,{\"a\":true}]");
    add(jackson + "JsonNode", jackson + "ObjectMapper", "readTree", "{\"a\":[1,\"b\"]}");
    add(jackson + "node.TextNode", jackson + "ObjectMapper", "readTree", "\"a\"");
    add("com.google.gson.JsonObject", "com.google.gson.JsonParser", "parse", "{\"a\":1}");
    add("com.google.gson.JsonElement", "com.google.gson.JsonParser", "parse", "[1,2]");
    add("org.bson.types.ObjectId", "new", "65f0c0ffee65f0c0ffee65f0");
    add("org.bson.types.Decimal128", "parse", "12.34");
    String jts = "org.locationtech.jts.";
    add(jts + "geom.Point", jts + "io.WKTReader", "read", "POINT (1 2.5)");
    add(jts + "geom.Geometry", jts + "io.WKTReader", "read", "LINESTRING (1 2, 3 4.5)");
    add("javax.xml.namespace.QName", "valueOf", "{urn:x}local");
    add("org.springframework.http.MediaType", "parseMediaType", "text/plain;charset=UTF-8");
    add("org.springframework.http.HttpMethod", "valueOf", "PATCH");
    add("com.google.protobuf.Any", BYTES, "CgFh");
    add("com.nimbusds.jose.EncryptionMethod", "parse", "A128GCM");
    add("com.nimbusds.jose.JWEAlgorithm", "parse", "RSA-OAEP-256");
    add("com.nimbusds.jose.JWSAlgorithm", "parse", "RS256");
    add("com.nimbusds.jose.jwk.JWKSet", "parse", "{\"keys\":[]}");
    add("org.mitre.oauth2.model.PKCEAlgorithm", "parse", "S256");
    String score = "org.optaplanner.core.api.score.buildin.";
    add(score + "simple.SimpleScore", "parseScore", "-1");
    add(score + "simplelong.SimpleLongScore", "parseScore", "-1");
    add(score + "hardsoft.HardSoftScore", "parseScore", "-1hard/-2soft");
    add(score + "hardsoftlong.HardSoftLongScore", "parseScore", "-1hard/-2soft");
    add(score + "hardmediumsoft.HardMediumSoftScore", "parseScore", "-1hard/-2medium/-3soft");
    add(score + "bendable.BendableScore", "parseScore", "[-1]hard/[-2]soft");
  }

  private LibraryValues() {}

  private static void add(String type, String method, String sample) {
    add(type, type, method, sample);
  }

  private static void add(String type, String owner, String method, String sample) {
    BY_TYPE.put(type, new Maker(owner, method, sample));
  }

  /** Registers those that a class loader finds. */
  public static PmStoreOptions registered(PmStoreOptions options, ClassLoader loader) {
    PmStoreOptions all = options;
    for (Map.Entry<String, Maker> entry : BY_TYPE.entrySet()) {
      try {
        Class<?> type = Class.forName(entry.getKey(), false, loader);
        if (!type.isEnum()) { // as one is in some versions of its library
          all = registered(all, type, entry.getValue());
        }
      } catch (ClassNotFoundException | LinkageError e) {
        // a library that is not used
      }
    }
    return all;
  }

  @SuppressWarnings("unchecked") // it is given values of the type only
  private static PmStoreOptions registered(PmStoreOptions options, Class<?> type, Maker maker) {
    ValueCodec<Object> codec =
        ValueCodec.ofText(
            type.getName(), value -> text(maker, value), text -> make(type, maker, text));
    return options.valueType((Class<Object>) type, codec);
  }

  /** A value of a type; null if the type is none of these. */
  public static Object sample(Class<?> type) {
    Maker maker = BY_TYPE.get(type.getName());
    return maker == null || type.isEnum() ? null : make(type, maker, maker.sample());
  }

  private static String text(Maker maker, Object value) {
    if (!maker.method().equals(BYTES)) {
      return value.toString();
    }
    try {
      byte[] bytes = (byte[]) value.getClass().getMethod("toByteArray").invoke(value);
      return Base64.getEncoder().encodeToString(bytes);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no message: " + value.getClass(), e);
    }
  }

  private static Object make(Class<?> type, Maker maker, String text) {
    try {
      Class<?> owner = Class.forName(maker.owner(), true, type.getClassLoader());
      if (maker.method().equals(BYTES)) {
        byte[] bytes = Base64.getDecoder().decode(text);
        return owner.getMethod(BYTES, byte[].class).invoke(null, (Object) bytes);
      }
      if (maker.method().equals("new")) {
        return owner.getConstructor(String.class).newInstance(text);
      }
      Method method =
          Arrays.stream(owner.getMethods())
              .filter(m -> m.getName().equals(maker.method()) && takesText(m))
              .findFirst()
              .orElseThrow();
      boolean isStatic = Modifier.isStatic(method.getModifiers());
      return method.invoke(isStatic ? null : owner.getConstructor().newInstance(), text);
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException(text, e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no " + maker, e);
    }
  }

  private static boolean takesText(Executable method) {
    return method.getParameterCount() == 1
        && method.getParameterTypes()[0].isAssignableFrom(String.class)
        && method.getParameterTypes()[0] != Object.class;
  }
}
