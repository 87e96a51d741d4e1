/** Plots and pages of profiles and predictions. */
@NullMarked
package io.pmstore.model.page;

import org.jspecify.annotations.NullMarked;
