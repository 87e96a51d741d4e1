package io.pmstore.spring.jackson;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.PropertyName;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.ser.BeanPropertyWriter;

/**
 * Writes a property that has a field and no getter. For a persistent object it writes the value in
 * the store, by the rules of {@link BeanPropertyWriter}, whose own reading cannot be overridden.
 */
@SuppressWarnings("ReferenceEquality") // a value that is the bean itself; a marker
final class StoredFieldWriter extends BeanPropertyWriter {
  private static final long serialVersionUID = 1L;

  private final transient StoredField field;

  StoredFieldWriter(BeanPropertyWriter original, StoredField field) {
    super(original);
    this.field = field;
  }

  private StoredFieldWriter(StoredFieldWriter original, PropertyName name) {
    super(original, name);
    this.field = original.field;
  }

  @Override
  protected BeanPropertyWriter _new(PropertyName name) {
    return new StoredFieldWriter(this, name);
  }

  @Override
  public void serializeAsProperty(
      Object bean, JsonGenerator generator, SerializationContext context) throws Exception {
    if (!field.isKeptBy(bean)) {
      super.serializeAsProperty(bean, generator, context);
      return;
    }
    Object value = field.get(bean);
    if (value == null) {
      boolean suppressed =
          _suppressableValue != null && context.includeFilterSuppressNulls(_suppressableValue);
      if (!suppressed && _nullSerializer != null) {
        generator.writeName(_name);
        _nullSerializer.serialize(null, generator, context);
      }
      return;
    }
    ValueSerializer<Object> serializer = serializerOf(value, context);
    if (isSuppressed(value, serializer, context)
        || (value == bean && _handleSelfReference(bean, generator, context, serializer))) {
      return;
    }
    generator.writeName(_name);
    write(value, serializer, generator, context);
  }

  @Override
  public void serializeAsElement(Object bean, JsonGenerator generator, SerializationContext context)
      throws Exception {
    if (!field.isKeptBy(bean)) {
      super.serializeAsElement(bean, generator, context);
      return;
    }
    Object value = field.get(bean);
    if (value == null) {
      if (_nullSerializer == null) {
        generator.writeNull();
      } else {
        _nullSerializer.serialize(null, generator, context);
      }
      return;
    }
    ValueSerializer<Object> serializer = serializerOf(value, context);
    if (isSuppressed(value, serializer, context)) {
      serializeAsOmittedElement(bean, generator, context);
    } else if (value != bean || !_handleSelfReference(bean, generator, context, serializer)) {
      write(value, serializer, generator, context);
    }
  }

  private ValueSerializer<Object> serializerOf(Object value, SerializationContext context) {
    if (_serializer != null) {
      return _serializer;
    }
    ValueSerializer<Object> known = _dynamicSerializers.serializerFor(value.getClass());
    return known != null
        ? known
        : _findAndAddDynamic(_dynamicSerializers, value.getClass(), context);
  }

  private boolean isSuppressed(
      Object value, ValueSerializer<Object> serializer, SerializationContext context) {
    @Nullable Object suppressed = _suppressableValue;
    if (suppressed == null) {
      return false;
    }
    return suppressed == MARKER_FOR_EMPTY
        ? serializer.isEmpty(context, value)
        : suppressed.equals(value);
  }

  private void write(
      Object value,
      ValueSerializer<Object> serializer,
      JsonGenerator generator,
      SerializationContext context) {
    if (_typeSerializer == null) {
      serializer.serialize(value, generator, context);
    } else {
      serializer.serializeWithType(value, generator, context, _typeSerializer);
    }
  }
}
