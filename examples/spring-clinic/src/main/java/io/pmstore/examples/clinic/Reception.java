package io.pmstore.examples.clinic;

import io.pmstore.spring.transaction.PmStoreTemplate;
import io.pmstore.spring.transaction.StoreTransaction;
import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/** What can be done at the clinic. */
@Service
public class Reception {
  private static final Logger LOG = LoggerFactory.getLogger(Reception.class);

  private final Clinic clinic;
  private final PmStoreTemplate store;

  public Reception(Clinic clinic, PmStoreTemplate store) {
    this.clinic = clinic;
    this.store = store;
  }

  @StoreTransaction // may run again if another thread registers somebody at the same time
  public Owner register(String name, String city) {
    Owner owner = clinic.register(name, city);
    store.afterCommit(() -> LOG.info("a welcome letter to {}", name)); // once, after the commit
    return owner;
  }

  @StoreTransaction
  public Owner addPet(long id, Pet pet) {
    Owner owner = owner(id);
    owner.getPets().add(pet); // a plain object becomes persistent with all that it has
    return owner;
  }

  @StoreTransaction
  public Owner addVisit(long id, String name, Visit visit) {
    Owner owner = owner(id);
    Pet visitor =
        owner.getPets().stream()
            .filter(pet -> pet.getName().equals(name))
            .findFirst()
            .orElseThrow(() -> new UnknownException("a pet named " + name + " of owner " + id));
    visitor.getVisits().add(visit);
    return owner;
  }

  @StoreTransaction(readOnly = true) // one state of the store, however long it takes
  public Map<String, BigDecimal> incomeByCity() {
    Map<String, BigDecimal> income = new TreeMap<>();
    for (Owner owner : clinic.getOwners().values()) {
      for (Pet pet : owner.getPets()) {
        for (Visit visit : pet.getVisits()) {
          income.merge(owner.getCity(), visit.price(), BigDecimal::add);
        }
      }
    }
    return income;
  }

  public Owner owner(long id) {
    Owner owner = clinic.getOwners().get(id);
    if (owner == null) {
      throw new UnknownException("owner " + id);
    }
    return owner;
  }
}
