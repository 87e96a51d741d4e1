package io.pmstore.proxy.path;

import io.pmstore.core.heap.HeapObject;
import io.pmstore.proxy.bean.BeanProperty;
import io.pmstore.proxy.schema.StoreSchema;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How a value is reached, for messages: {@code exchange.orders[7].callback}. Cheap to make; spelled
 * out only when it is shown.
 */
public final class Path {
  private final @Nullable Path parent;
  private final Object
      step; // a BeanProperty, a Property, an Index, a Start, or the class of the first step

  private record Property(String name, Class<?> type) {}

  private record Index(@Nullable Object key) {}

  private record Start(StoreSchema schema, HeapObject owner, int property) {}

  private Path(@Nullable Path parent, Object step) {
    this.parent = parent;
    this.step = step;
  }

  /**
   * A path that starts at a property of a persistent object.
   *
   * @param schema knows the object's class
   * @param owner the object
   * @param property the property's index
   * @return the path
   */
  public static Path ofProperty(StoreSchema schema, HeapObject owner, int property) {
    return new Path(null, new Start(schema, owner, property));
  }

  /**
   * A path that starts at an object, named as its class.
   *
   * @param object any object
   * @return the path
   */
  public static Path of(Object object) {
    return new Path(null, object.getClass());
  }

  /**
   * A path that starts at an object that is not there yet, named as its class.
   *
   * @param type its class
   * @return the path
   */
  public static Path of(Class<?> type) {
    return new Path(null, type);
  }

  /**
   * The path of a property of what this path leads to.
   *
   * @param property the property
   * @return the longer path
   */
  public Path property(BeanProperty property) {
    return new Path(this, property);
  }

  /**
   * The path of a part of what this path leads to.
   *
   * @param name the property's name
   * @param type its declared type
   * @return the longer path
   */
  public Path property(String name, Class<?> type) {
    return new Path(this, new Property(name, type));
  }

  /**
   * What the last step is declared to be.
   *
   * @return the type of a property, {@code Object} if the path does not end with one
   */
  public Class<?> declaredType() {
    return switch (step) {
      case BeanProperty property -> property.type();
      case Property property -> property.type();
      case Start start ->
          start
              .schema()
              .bindingOf(shapeId(start.owner()))
              .type()
              .properties()
              .get(start.property())
              .type();
      default -> Object.class;
    };
  }

  /**
   * The path of an element of what this path leads to.
   *
   * @param key its index or key
   * @return the longer path
   */
  public Path element(@Nullable Object key) {
    return new Path(this, new Index(key));
  }

  @Override
  public String toString() {
    Deque<Path> steps = new ArrayDeque<>();
    for (Path path = this; path != null; path = path.parent) {
      steps.push(path);
    }
    StringBuilder text = new StringBuilder();
    for (Path path : steps) {
      switch (path.step) {
        case BeanProperty property -> text.append('.').append(property.name());
        case Property property -> text.append('.').append(property.name());
        case Index index -> text.append('[').append(index.key()).append(']');
        case Start start -> text.append(describe(start));
        case Class<?> type -> text.append(decapitalized(simpleName(type)));
        default -> throw new IllegalStateException("no step of a path: " + path.step);
      }
    }
    return text.toString();
  }

  /** The shape of an object, today's or an older one: both lead to the class. */
  private static int shapeId(HeapObject object) {
    return object.heap().shapeId(object.address());
  }

  private static String describe(Start start) {
    var binding = start.schema().bindingOf(shapeId(start.owner()));
    return decapitalized(simpleName(binding.type().type()))
        + "."
        + binding.shape().properties().get(start.property()).name();
  }

  /** The name that the source uses, also of a class inside another. */
  private static String simpleName(Class<?> type) {
    String name = type.getName();
    return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
  }

  private static String decapitalized(String name) {
    return name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
  }
}
