package io.pmstore.spring.jackson;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.Set;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.type.WritableTypeId;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.jsontype.TypeIdResolver;
import tools.jackson.databind.jsontype.TypeSerializer;
import tools.jackson.databind.ser.BeanPropertyWriter;
import tools.jackson.databind.ser.BeanSerializer;
import tools.jackson.databind.ser.bean.BeanSerializerBase;
import tools.jackson.databind.ser.impl.ObjectIdWriter;

/** Writes objects as {@link BeanSerializer} does, with the type id of the program's class. */
final class DeclaredTypeSerializer extends BeanSerializer {
  DeclaredTypeSerializer(BeanSerializerBase original) {
    super(original);
  }

  @Override
  public void serializeWithType(
      Object bean, JsonGenerator generator, SerializationContext context, TypeSerializer types) {
    super.serializeWithType(bean, generator, context, new Types(types));
  }

  // A serializer with other settings is of this class too.

  @Override
  public BeanSerializerBase withObjectIdWriter(ObjectIdWriter writer) {
    return new DeclaredTypeSerializer(super.withObjectIdWriter(writer));
  }

  @Override
  public BeanSerializerBase withFilterId(Object filter) {
    return new DeclaredTypeSerializer(super.withFilterId(filter));
  }

  @Override
  protected BeanSerializerBase withByNameInclusion(Set<String> ignored, Set<String> included) {
    return new DeclaredTypeSerializer(super.withByNameInclusion(ignored, included));
  }

  @Override
  protected BeanSerializerBase withProperties(
      BeanPropertyWriter[] properties, BeanPropertyWriter[] filtered) {
    return new DeclaredTypeSerializer(super.withProperties(properties, filtered));
  }

  private static final class Types extends TypeSerializer {
    private final TypeSerializer serializer;

    Types(TypeSerializer serializer) {
      this.serializer = serializer;
    }

    @Override
    public TypeSerializer forProperty(SerializationContext context, BeanProperty property) {
      return new Types(serializer.forProperty(context, property));
    }

    @Override
    public JsonTypeInfo.As getTypeInclusion() {
      return serializer.getTypeInclusion();
    }

    @Override
    public String getPropertyName() {
      return serializer.getPropertyName();
    }

    @Override
    public TypeIdResolver getTypeIdResolver() {
      return serializer.getTypeIdResolver();
    }

    @Override
    public WritableTypeId writeTypePrefix(
        JsonGenerator generator, SerializationContext context, WritableTypeId id) {
      TypeIdResolver ids = serializer.getTypeIdResolver();
      Class<?> type = id.forValue.getClass();
      Class<?> declared = DeclaredTypes.of(type);
      if (id.id == null && declared != type && ids.getMechanism() != JsonTypeInfo.Id.CUSTOM) {
        id.id = ids.idFromValueAndType(context, null, declared); // of the class, not of the value
      }
      return serializer.writeTypePrefix(generator, context, id);
    }

    @Override
    public WritableTypeId writeTypeSuffix(
        JsonGenerator generator, SerializationContext context, WritableTypeId id) {
      return serializer.writeTypeSuffix(generator, context, id);
    }
  }
}
