package io.pmstore.spring.jackson;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.BeanDeserializerBuilder;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.ValueDeserializerModifier;

/** Assigns fields in the store if JSON updates a persistent object. */
final class StoredFieldsIn extends ValueDeserializerModifier {
  private static final long serialVersionUID = 1L;

  @Override
  public BeanDeserializerBuilder updateBuilder(
      DeserializationConfig config,
      BeanDescription.Supplier description,
      BeanDeserializerBuilder builder) {
    List<SettableBeanProperty> properties = new ArrayList<>();
    builder.getProperties().forEachRemaining(properties::add);
    for (SettableBeanProperty property : properties) {
      StoredField field = StoredField.of(description.getBeanClass(), property.getMember());
      if (field != null && !property.isCreatorProperty()) {
        builder.addOrReplaceProperty(new Property(property, field), true);
      }
    }
    return builder;
  }

  private static final class Property extends SettableBeanProperty.Delegating {
    private static final long serialVersionUID = 1L;

    private final transient StoredField field;

    Property(SettableBeanProperty plain, StoredField field) {
      super(plain);
      this.field = field;
    }

    @Override
    protected SettableBeanProperty withDelegate(SettableBeanProperty plain) {
      return new Property(plain, field);
    }

    @Override
    public void deserializeAndSet(
        JsonParser parser, DeserializationContext context, Object instance) {
      deserializeSetAndReturn(parser, context, instance);
    }

    @Override
    public Object deserializeSetAndReturn(
        JsonParser parser, DeserializationContext context, Object instance) {
      if (!field.isKeptBy(instance)) {
        return delegate.deserializeSetAndReturn(parser, context, instance);
      }
      if (parser.hasToken(JsonToken.VALUE_NULL) && isSkippingNulls()) {
        return instance;
      }
      return setAndReturn(context, instance, delegate.deserialize(parser, context));
    }

    private boolean isSkippingNulls() {
      return tools.jackson.databind.deser.impl.NullsConstantProvider.isSkipper(_nullProvider);
    }

    @Override
    public void set(DeserializationContext context, Object instance, @Nullable Object value) {
      setAndReturn(context, instance, value);
    }

    @Override
    public Object setAndReturn(
        DeserializationContext context, Object instance, @Nullable Object value) {
      if (!field.isKeptBy(instance)) {
        return delegate.setAndReturn(context, instance, value);
      }
      field.set(instance, value);
      return instance;
    }
  }
}
