/** The auto-configuration of a store in a Spring Boot application. */
@NullMarked
package io.pmstore.spring.boot;

import org.jspecify.annotations.NullMarked;
