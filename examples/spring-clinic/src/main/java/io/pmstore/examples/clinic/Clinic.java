package io.pmstore.examples.clinic;

import io.pmstore.Persistent;
import java.util.HashMap;
import java.util.Map;

/** The root: everything that the clinic knows. */
@Persistent(root = "clinic")
public class Clinic {
  private final Map<Long, Owner> owners = new HashMap<>();
  private long lastId;

  public Map<Long, Owner> getOwners() {
    return owners;
  }

  public Owner register(String name, String city) {
    Owner owner = new Owner(++lastId, name, city);
    owners.put(owner.getId(), owner);
    return owners.get(owner.getId()); // the persistent one
  }
}
