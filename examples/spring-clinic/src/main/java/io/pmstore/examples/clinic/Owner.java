package io.pmstore.examples.clinic;

import io.pmstore.Persistent;
import java.util.ArrayList;
import java.util.List;

/** A person and the pets of that person. */
@Persistent
public class Owner {
  private long id;
  private String name;
  private String city;
  private final List<Pet> pets = new ArrayList<>();

  public Owner() {}

  public Owner(long id, String name, String city) {
    this.id = id;
    this.name = name;
    this.city = city;
  }

  public long getId() {
    return id;
  }

  public String getName() {
    return name;
  }

  public String getCity() {
    return city;
  }

  public void setCity(String city) {
    this.city = city;
  }

  public List<Pet> getPets() {
    return pets;
  }
}
