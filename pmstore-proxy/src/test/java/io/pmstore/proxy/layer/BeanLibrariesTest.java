package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.pmstore.Persistent;
import io.pmstore.Transient;
import io.pmstore.proxy.fixture.StoreTest;
import java.beans.IntrospectionException;
import java.beans.Introspector;
import java.beans.PropertyDescriptor;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Libraries that use reflection see in a generated class what they see in the user's. */
class BeanLibrariesTest extends StoreTest {

  /** Generic, and extended with a type. */
  @Persistent
  public static class Base<T, K extends Comparable<K>> {
    private @Nullable T value;
    private Map<String, List<T>> byName = new HashMap<>();
    private @Nullable K key;

    public @Nullable T getValue() {
      return value;
    }

    public void setValue(@Nullable T value) {
      this.value = value;
    }

    public Map<String, List<T>> getByName() {
      return byName;
    }

    public <E extends Exception> K orThrow(E failure, List<? super K> seen) throws E {
      K now = key;
      if (now == null) {
        throw failure;
      }
      seen.add(now);
      return now;
    }
  }

  /** With what libraries look at: annotations, parameter annotations, checked exceptions. */
  @Persistent(root = "customer")
  public static class Customer extends Base<Long, String> {
    private String name = "Ada";
    private boolean active = true;
    private int age = 36;
    private List<String> tags = new ArrayList<>(List.of("a", "b"));
    private String secret = "x";
    private int unseen = 1;
    private transient int cached = 5;

    @JsonProperty("full_name")
    public String getName() {
      return name;
    }

    public void setName(@JsonProperty("unused") String name) {
      this.name = Objects.requireNonNull(name);
    }

    public boolean isActive() {
      return active;
    }

    public void setActive(boolean active) {
      this.active = active;
    }

    public int getAge() {
      return age + unseen;
    }

    public List<String> getTags() {
      return tags;
    }

    public void setTags(List<String> tags) {
      this.tags = tags;
    }

    @JsonIgnore
    public String getSecret() {
      return secret;
    }

    @Transient
    public int getCached() {
      return cached;
    }

    @Deprecated
    public void check(String... what) throws IOException, IllegalStateException {
      if (what.length > age) {
        throw new IOException(name);
      }
    }
  }

  private Customer twin() {
    Customer twin = store().root(Customer.class);
    assertNotEquals(Customer.class, twin.getClass());
    return twin;
  }

  @Test
  void jacksonWritesTheSame() throws JsonProcessingException {
    ObjectMapper mapper = new ObjectMapper();
    Customer plain = new Customer();
    Customer twin = twin();
    plain.setValue(7L);
    twin.setValue(7L);
    String expected = mapper.writeValueAsString(plain);
    assertEquals(expected, mapper.writeValueAsString(twin));
    assertTrue(expected.contains("\"full_name\":\"Ada\""), expected);
    mapper
        .readerForUpdating(twin)
        .readValue("{\"full_name\":\"Bob\",\"active\":false,\"value\":9}");
    assertEquals("Bob", twin.getName());
    assertEquals(9L, twin.getValue());
  }

  @Test
  void beanPropertiesAreTheSame() throws IntrospectionException {
    assertEquals(properties(Customer.class), properties(twin().getClass()));
  }

  private static Map<String, String> properties(Class<?> type) throws IntrospectionException {
    Map<String, String> properties = new TreeMap<>();
    for (PropertyDescriptor property :
        Introspector.getBeanInfo(type, Object.class).getPropertyDescriptors()) {
      properties.put(
          property.getName(),
          property.getPropertyType()
              + " "
              + (property.getReadMethod() != null)
              + (property.getWriteMethod() != null));
    }
    return properties;
  }

  @Test
  void overriddenMethodsHaveWhatTheOriginalsHave() throws NoSuchMethodException {
    Class<?> generated = twin().getClass();
    for (Method original : Customer.class.getDeclaredMethods()) {
      Method method = generated.getMethod(original.getName(), original.getParameterTypes());
      assertEquals(original.toGenericString(), named(method, Customer.class));
      assertEquals(
          Arrays.asList(original.getAnnotations()), Arrays.asList(method.getAnnotations()));
      assertEquals(
          Arrays.deepToString(original.getParameterAnnotations()),
          Arrays.deepToString(method.getParameterAnnotations()));
    }
    assertEquals(Long.class, generated.getMethod("getValue").getGenericReturnType());
    assertEquals(
        "java.util.Map<java.lang.String, java.util.List<java.lang.Long>>",
        generated.getMethod("getByName").getGenericReturnType().getTypeName());
    Method orThrow = generated.getMethod("orThrow", Exception.class, List.class);
    assertTrue(
        orThrow.toGenericString().contains("<E extends java.lang.Exception> java.lang.String"),
        orThrow::toGenericString);
    assertTrue(
        orThrow
            .toGenericString()
            .endsWith("(E,java.util.List<? super java.lang.String>) throws E"));
  }

  private static String named(Method method, Class<?> original) {
    return method
        .toGenericString()
        .replace(method.getDeclaringClass().getTypeName(), original.getTypeName())
        .replace("final ", "");
  }

  /** A class with a type variable of its own. */
  @Persistent
  public static class Pair<A extends Number> extends Base<A, String> {
    private @Nullable A other;

    public @Nullable A getOther() {
      return other;
    }
  }

  @Test
  void aGenericClassStaysGeneric() throws NoSuchMethodException {
    Class<?> generated = store().create(Pair.class).getClass();
    assertEquals("A", generated.getTypeParameters()[0].getName());
    assertEquals(Pair.class.getTypeName() + "<A>", generated.getGenericSuperclass().getTypeName());
    assertEquals("A", generated.getMethod("getOther").getGenericReturnType().getTypeName());
    assertEquals("A", generated.getMethod("getValue").getGenericReturnType().getTypeName());
  }
}
