/** Classes written as programs write them, with no rule in mind. */
package io.pmstore.enhance.sample;
