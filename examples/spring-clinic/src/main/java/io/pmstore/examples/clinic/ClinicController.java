package io.pmstore.examples.clinic;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The clinic by HTTP. Persistent objects are answers as they are. */
@RestController
@RequestMapping("/owners")
public class ClinicController {
  /** What a new owner sends. */
  public record Registration(String name, String city) {}

  private final Clinic clinic;
  private final Reception reception;

  public ClinicController(Clinic clinic, Reception reception) {
    this.clinic = clinic;
    this.reception = reception;
  }

  @GetMapping
  public Collection<Owner> all() {
    return clinic.getOwners().values();
  }

  @GetMapping("/{id}")
  public Owner one(@PathVariable long id) {
    return reception.owner(id);
  }

  @GetMapping("/income")
  public Map<String, BigDecimal> income() {
    return reception.incomeByCity();
  }

  @PostMapping
  @ResponseStatus(HttpStatus.CREATED)
  public Owner register(@RequestBody Registration registration) {
    return reception.register(registration.name(), registration.city());
  }

  @PutMapping("/{id}/city")
  public Owner move(@PathVariable long id, @RequestBody String city) {
    Owner owner = reception.owner(id);
    owner.setCity(city); // a setter is a transaction of its own
    return owner;
  }

  @PostMapping("/{id}/pets")
  @ResponseStatus(HttpStatus.CREATED)
  public Owner addPet(@PathVariable long id, @RequestBody Pet pet) {
    return reception.addPet(id, pet);
  }

  @PostMapping("/{id}/pets/{name}/visits")
  @ResponseStatus(HttpStatus.CREATED)
  public Owner addVisit(
      @PathVariable long id, @PathVariable String name, @RequestBody Visit visit) {
    return reception.addVisit(id, name, visit);
  }
}
