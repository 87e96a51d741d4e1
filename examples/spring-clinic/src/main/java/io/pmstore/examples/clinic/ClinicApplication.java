package io.pmstore.examples.clinic;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Starts the clinic. */
@SpringBootApplication
public class ClinicApplication {
  public static void main(String[] args) {
    SpringApplication.run(ClinicApplication.class, args);
  }
}
