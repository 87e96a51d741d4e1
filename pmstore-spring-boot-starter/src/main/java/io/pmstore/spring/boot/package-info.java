/** Auto-configuration of a store in a Spring Boot application, with its properties. */
@NullMarked
package io.pmstore.spring.boot;

import org.jspecify.annotations.NullMarked;
