package io.pmstore.gc.store;

import io.pmstore.Persistent;
import java.util.Map;

/** An object of these tests' stores. */
@Persistent(root = "part")
public class Part {
  private String name;
  private Part next;
  private Part other;
  private Map<Long, String> texts;

  public String getName() {
    return name;
  }

  public void setName(String name) {
    this.name = name;
  }

  public Part getNext() {
    return next;
  }

  public void setNext(Part next) {
    this.next = next;
  }

  public Part getOther() {
    return other;
  }

  public void setOther(Part other) {
    this.other = other;
  }

  public Map<Long, String> getTexts() {
    return texts;
  }

  public void setTexts(Map<Long, String> texts) {
    this.texts = texts;
  }
}
