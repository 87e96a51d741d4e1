package io.pmstore.proxy.layer;

import io.pmstore.core.catalogue.Property;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.proxy.bean.BeanProperty;
import io.pmstore.proxy.schema.Binding;
import io.pmstore.proxy.schema.StoreSchema;
import io.pmstore.proxy.slot.PropertySlots;
import io.pmstore.spi.PersistentObject;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The texts of objects whose classes have no {@code toString}: {@code shop.Order[id=7]@123456}.
 * They show only properties of the object itself that identify it.
 */
final class Texts {
  private static final int LENGTH_MAX = 60;
  private static final Pattern NAMING =
      Pattern.compile("(id|ID|uuid|key|code|number|name|symbol|title|.*[a-z](Id|ID|Code))");

  private final StoreSchema schema;

  Texts(StoreSchema schema) {
    this.schema = schema;
  }

  String of(HeapObject handle, PersistentObject object) {
    Class<?> type = PersistentObject.classOf(object);
    try {
      Binding binding = schema.bind(type);
      List<BeanProperty> properties = binding.type().properties();
      StringJoiner named = new StringJoiner(", ", "[", "]").setEmptyValue("");
      for (int i = 0; i < properties.size(); i++) {
        BeanProperty property = properties.get(i);
        if (NAMING.matcher(property.name()).matches() && isShort(property)) {
          named.add(property.name() + "=" + read(handle, binding, i));
        }
      }
      return type.getName() + named + "@" + handle.identity();
    } catch (RuntimeException e) { // a debugger may ask for the text of any object
      return type.getName() + " that cannot be read: " + e.getMessage();
    }
  }

  private static boolean isShort(BeanProperty property) {
    Class<?> type = property.type();
    return type == int.class
        || type == long.class
        || type == Integer.class
        || type == Long.class
        || type == String.class
        || type == UUID.class
        || type.isEnum();
  }

  private static String read(HeapObject handle, Binding binding, int index) {
    Property property = binding.shape().properties().get(index);
    String text = Objects.toString(PropertySlots.read(handle, property, index));
    return text.length() > LENGTH_MAX ? text.substring(0, LENGTH_MAX) + "..." : text;
  }
}
