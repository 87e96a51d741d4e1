/** Tests of stores that have the objects of yesterday's classes. */
package io.pmstore.evolution;
