package io.pmstore.proxy.layer;

import io.pmstore.StoreFormatException;
import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.catalogue.CatalogueEntry;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.heap.ForwarderLayout;
import io.pmstore.proxy.collection.CollectionShapes;
import io.pmstore.proxy.collection.NodeShape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The shapes of objects that belong to no class: the nodes of collections, and forwarders. */
public final class NodeShapes {
  private static final NodeShape FORWARDER =
      new NodeShape(
          ForwarderLayout.CLASS_NAME,
          ForwarderLayout.SIZE,
          List.of(ForwarderLayout.BODY_OFFSET),
          List.of());

  // No object has this id.
  private static final int NO_SHAPE = -1;

  private NodeShapes() {}

  /** Returns the shapes of all nodes, in the order in which a new store adds them. */
  public static List<Shape> all() {
    List<Shape> shapes = new ArrayList<>(List.of(shape(FORWARDER)));
    new CollectionShapes(
        node -> {
          shapes.add(shape(node));
          return NO_SHAPE;
        });
    return shapes;
  }

  private static Shape shape(NodeShape node) {
    List<Property> properties = new ArrayList<>();
    node.references()
        .forEach(at -> properties.add(new Property("at" + at, SlotKind.REFERENCE, "", at)));
    node.cells().forEach(at -> properties.add(new Property("at" + at, SlotKind.CELL, "", at)));
    properties.sort(Comparator.comparingInt(Property::offset));
    return new Shape(0, node.name(), "", properties, (node.size() + 7) & -8);
  }

  /**
   * Returns the id of a node's shape.
   *
   * @param add true to add a missing one to the catalogue
   * @return -1, which no object has, if it is missing and not added
   * @throws StoreFormatException if the store has another layout under the same name
   */
  public static int id(Catalogue catalogue, NodeShape node, boolean add) {
    Shape shape = shape(node);
    CatalogueEntry known = catalogue.find(node.name());
    if (known != null && !(known instanceof Shape stored && stored.hasLayoutOf(shape))) {
      throw new StoreFormatException(
          "the store's collections have nodes %s, this program's %s; open it with the program that wrote it"
              .formatted(known, shape));
    }
    return known == null && !add ? NO_SHAPE : catalogue.define(shape).id();
  }

  /** Returns the shape id of forwarders, as {@link #id(Catalogue, NodeShape, boolean)} does. */
  public static int forwarder(Catalogue catalogue, boolean add) {
    return id(catalogue, FORWARDER, add);
  }
}
