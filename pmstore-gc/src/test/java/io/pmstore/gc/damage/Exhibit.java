package io.pmstore.gc.damage;

import io.pmstore.Persistent;

/** An element of the collections, with an equality of its own. */
@Persistent
public class Exhibit {
  private long number;
  private String name;
  private Label label;
  private String[] names;
  private Object anything;

  /** A record, which collections hold too. */
  public record Label(long number, String text, Object next) {}

  public long getNumber() {
    return number;
  }

  public void setNumber(long number) {
    this.number = number;
  }

  public String getName() {
    return name;
  }

  public void setName(String name) {
    this.name = name;
  }

  public Label getLabel() {
    return label;
  }

  public void setLabel(Label label) {
    this.label = label;
  }

  public String[] getNames() {
    return names;
  }

  public void setNames(String[] names) {
    this.names = names;
  }

  public Object getAnything() {
    return anything;
  }

  public void setAnything(Object anything) {
    this.anything = anything;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Exhibit exhibit && exhibit.getNumber() == getNumber();
  }

  @Override
  public int hashCode() {
    return Long.hashCode(getNumber());
  }
}
