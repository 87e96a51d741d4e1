package io.pmstore.spring.jackson;

import io.pmstore.Persistent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.ser.BeanPropertyWriter;
import tools.jackson.databind.ser.BeanSerializer;
import tools.jackson.databind.ser.BeanSerializerBuilder;
import tools.jackson.databind.ser.UnrolledBeanSerializer;
import tools.jackson.databind.ser.ValueSerializerModifier;
import tools.jackson.databind.ser.bean.BeanSerializerBase;

/** Writes properties that Jackson reads from fields with the values in the store. */
final class StoredFieldsOut extends ValueSerializerModifier {
  private static final long serialVersionUID = 1L;

  @Override
  public List<BeanPropertyWriter> changeProperties(
      SerializationConfig config,
      BeanDescription.Supplier description,
      List<BeanPropertyWriter> properties) {
    List<BeanPropertyWriter> changed = new ArrayList<>(properties.size());
    for (BeanPropertyWriter property : properties) {
      StoredField field = StoredField.of(description.getBeanClass(), property.getMember());
      if (field != null && property.isUnwrapping()) {
        throw refused(description, property.getMember(), "@JsonUnwrapped");
      }
      changed.add(field == null ? property : new StoredFieldWriter(property, field));
    }
    return changed;
  }

  @Override
  public BeanSerializerBuilder updateBuilder(
      SerializationConfig config,
      BeanDescription.Supplier description,
      BeanSerializerBuilder builder) {
    refuse(description, description.get().findAnyGetter(), "@JsonAnyGetter");
    refuse(description, builder.getTypeId(), "@JsonTypeId");
    return builder;
  }

  @Override
  public ValueSerializer<?> modifySerializer(
      SerializationConfig config,
      BeanDescription.Supplier description,
      ValueSerializer<?> serializer) {
    refuse(description, description.get().findJsonValueAccessor(), "@JsonValue");
    refuse(description, description.get().findJsonKeyAccessor(), "@JsonKey");
    boolean ordinary =
        serializer.getClass() == BeanSerializer.class
            || serializer.getClass() == UnrolledBeanSerializer.class; // of few properties
    return ordinary && description.getBeanClass().isAnnotationPresent(Persistent.class)
        ? new DeclaredTypeSerializer((BeanSerializerBase) serializer)
        : serializer;
  }

  private static void refuse(
      BeanDescription.Supplier description, @Nullable AnnotatedMember member, String annotation) {
    if (StoredField.isField(description.getBeanClass(), member)) {
      throw refused(description, member, annotation);
    }
  }

  private static RuntimeException refused(
      BeanDescription.Supplier description, @Nullable AnnotatedMember member, String annotation) {
    return InvalidDefinitionException.from(
        (tools.jackson.core.JsonGenerator) null,
        "%s is on a field of a persistent class, %s, where Jackson would not see the value that the store has; put it on the getter"
            .formatted(annotation, member == null ? "" : member.getFullName()),
        description.getType());
  }
}
