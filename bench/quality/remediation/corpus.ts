// The corpus as it lies in files: a family begins with `%%% ecosystem name`, its variants are parted by `%%`.

export interface Family {
  ecosystem: string;
  /** With its ecosystem's. */
  name: string;
  variants: string[];
}

export function readFamilies(text: string): Family[] {
  return text
    .split(/^%%% /m)
    .slice(1)
    .map((block) => {
      const [head = '', ...lines] = block.split('\n');
      const [ecosystem = ''] = head.split(' ');
      const variants = lines
        .join('\n')
        .split(/^%%\n/m)
        .map((variant) => variant.replace(/\n$/, ''));
      return { ecosystem, name: head, variants };
    });
}
