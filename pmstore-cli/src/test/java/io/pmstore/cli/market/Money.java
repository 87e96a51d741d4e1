package io.pmstore.cli.market;

import java.math.BigDecimal;

/** An amount; a key that is hashed by its components. */
public record Money(String currency, BigDecimal amount) {}
