/** Files of text that are part of the bundle. */
declare module "*.md" {
  const text: string;
  export default text;
}
