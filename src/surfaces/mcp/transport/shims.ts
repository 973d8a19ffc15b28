import process from "node:process";

/** Replaces the `_shims` module of the protocol's package in the build, without its schema validator. */
class DefaultJsonSchemaValidator {
  getValidator() {
    return (data: unknown) => ({ valid: true as const, data, errorMessage: undefined });
  }
}

export { DefaultJsonSchemaValidator, process };
