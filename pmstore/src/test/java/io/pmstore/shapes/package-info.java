/** Random classes, graphs and operations: a persistent object does what its plain twin does. */
package io.pmstore.shapes;
