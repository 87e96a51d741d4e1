package io.pmstore.examples.clinic;

import java.math.BigDecimal;
import java.time.LocalDate;

/** One visit of a pet. A record is a value: it cannot change. */
public record Visit(LocalDate day, String reason, BigDecimal price) {}
