/**
 * What does a reviewer say of a change? How it is asked to answer, and its reply as a typed list
 * of findings. It leaves to others: whom to ask and what a severe finding leads to (`pipeline`),
 * and whether the tests are green (`gate`).
 */
export { findingLine, type Finding, type Review } from "./review.ts";
export { parseReview } from "./reply.ts";
export { reviewInstructions } from "./instructions.ts";
