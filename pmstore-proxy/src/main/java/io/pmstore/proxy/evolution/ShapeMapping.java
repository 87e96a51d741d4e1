package io.pmstore.proxy.evolution;

import io.pmstore.core.catalogue.Origin;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The mapping by which an object of an older shape is read as one of the current shape. Immutable.
 */
public final class ShapeMapping {
  private final Shape from;
  private final Shape to;
  private final Set<String> classNames;
  private final Source[] sources;
  private final @Nullable Source[] byOffset;

  private ShapeMapping(List<Shape> lineage, Source[] sources) {
    this.from = lineage.getFirst();
    this.to = lineage.getLast();
    this.classNames = lineage.stream().map(Shape::className).collect(Collectors.toSet());
    this.sources = sources;
    this.byOffset = new Source[to.size()];
    for (Source source : sources) {
      byOffset[source.to().offset()] = source;
    }
  }

  /**
   * Composes all steps that a class went through into one mapping.
   *
   * @param lineage the shapes of the class from the older one to the current one, each the
   *     predecessor of the next
   */
  public static ShapeMapping of(List<Shape> lineage) {
    Shape to = lineage.getLast();
    Source[] sources = new Source[to.properties().size()];
    for (int i = 0; i < sources.length; i++) {
      sources[i] = source(lineage, i);
    }
    return new ShapeMapping(lineage, sources);
  }

  private static Source source(List<Shape> lineage, int target) {
    Property to = lineage.getLast().properties().get(target);
    SlotKind boxAs = null;
    int index = target;
    for (int step = lineage.size() - 1; step > 0; step--) {
      Origin origin = lineage.get(step).origins().get(index);
      if (origin.kind() == Origin.Kind.INITIAL) {
        return new Source.Initial(to);
      }
      if (origin.kind() == Origin.Kind.FUNCTION) {
        return new Source.Function(to);
      }
      Property after = lineage.get(step).properties().get(index);
      index = origin.index();
      Property before = lineage.get(step - 1).properties().get(index);
      if (after.kind().isValue() && before.kind().isPrimitive()) {
        boxAs = Primitives.boxKind(before.kind(), after.typeName());
      }
    }
    Property from = lineage.getFirst().properties().get(index);
    return new Source.Stored(to, from, boxAs == null ? from.kind() : boxAs);
  }

  public Shape from() {
    return from;
  }

  public Shape to() {
    return to;
  }

  /** Returns the names that the class had from the older shape to the current one. */
  public Set<String> classNames() {
    return classNames;
  }

  /** Returns the source of a property, by its index in the current shape. */
  public Source source(int index) {
    return sources[index];
  }

  /** Returns the source of a property, by its offset in the current shape. */
  public Source sourceAt(int offset) {
    Source source = byOffset[offset];
    if (source == null) {
      throw new IllegalArgumentException("no property of " + to + " is at offset " + offset);
    }
    return source;
  }

  /** Returns true if a migration function makes one of the properties. */
  public boolean needsFunction() {
    return Stream.of(sources).anyMatch(Source.Function.class::isInstance);
  }
}
