package io.pmstore.examples.clinic;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ResponseStatus;

/** The clinic does not know what was asked for. */
@ResponseStatus(HttpStatus.NOT_FOUND)
public class UnknownException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnknownException(String what) {
    super("unknown: " + what);
  }
}
