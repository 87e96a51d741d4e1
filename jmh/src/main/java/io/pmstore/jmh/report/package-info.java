/** Shows results: one HTML page, its plots, and the tables as Markdown. */
@NullMarked
package io.pmstore.jmh.report;

import org.jspecify.annotations.NullMarked;
