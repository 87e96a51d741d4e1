/**
 * Persistence by reachability: plain objects become persistent when they are assigned to persistent
 * ones.
 */
@NullMarked
package io.pmstore.proxy.convert;

import org.jspecify.annotations.NullMarked;
